/* A stand-in for the one function that Rust's and Go's runtimes need and Wine 8 lacks: random bytes of the system. For
 * the folder of Wine in which the tests run, and for nothing else: every Windows has the real one. */
#include <windows.h>

/* RtlGenRandom, by the name that advapi32 exports. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size);

BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size) {
    return SystemFunction036(buffer, (ULONG)size);
}
