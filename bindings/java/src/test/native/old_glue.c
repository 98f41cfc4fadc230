/* The library of a release of long ago, which has nothing but its version: the loader must say so before it calls anything else. */
#include <jni.h>

JNIEXPORT jint JNICALL Java_dev_lately_Native_glueVersion(JNIEnv *env, jclass self);

JNIEXPORT jint JNICALL Java_dev_lately_Native_glueVersion(JNIEnv *env, jclass self)
{
    (void)env;
    (void)self;
    return 7;
}
