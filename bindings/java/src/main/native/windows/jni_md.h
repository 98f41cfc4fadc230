/* What jni.h needs to know of 64-bit Windows: a JDK has this file for its own system only. */
#ifndef JNI_MD_H
#define JNI_MD_H

#include <stdint.h>

#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall

typedef int8_t jbyte;
typedef int32_t jint;
typedef int64_t jlong;

#endif
