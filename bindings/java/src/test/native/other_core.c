/* A core of another version, with the name by which programs in C ask for it: the glue must not be bound to it. */
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
