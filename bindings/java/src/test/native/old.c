/* A liblately of long ago, which has nothing but its version: the loader must say so before it calls anything else. */
#include <stdint.h>

uint32_t lately_abi_version(void);
uint32_t lately_version_number(void);

uint32_t lately_abi_version(void)
{
    return 0;
}

uint32_t lately_version_number(void)
{
    return 7;
}
