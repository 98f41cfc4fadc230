/* A JNI library with a mistake on purpose: the check of the JVM must see it, and our search must see the check. */
#include <jni.h>

JNIEXPORT void JNICALL Java_dev_lately_PlantedFault_callWithPendingException(JNIEnv *env, jclass self)
{
    (void)self;
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    (*env)->ThrowNew(env, type, "pending");
    (void)(*env)->NewByteArray(env, 1);
}
