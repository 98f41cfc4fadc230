// A program that was built with a newer header than the library that runs gets an error that says so, before anything else.
#include "lately.h"

#if defined(NEWER_ABI)
#undef LATELY_ABI_VERSION
#define LATELY_ABI_VERSION 77
#else
#undef LATELY_VERSION_NUMBER
#define LATELY_VERSION_NUMBER 88001000
#undef LATELY_VERSION_STRING
#define LATELY_VERSION_STRING "88.1.0"
#endif
#include "check.hpp"

int main() {
    lately::failure why;
    EQUAL(lately::status::struct_size, lately::filter::try_new(manual(), &why).code());
    std::puts(why.message);
    CHECK(std::string(why.message).find("this program was built with lately.h") == 0);
    EQUAL(lately::status::struct_size, lately::try_plan(manual()).code());
    EQUAL(lately::status::struct_size, thrown([] { begun<lately::filter>(); }).code());
    std::printf("%u checks, %u failed\n", check::count, check::failures);
    return check::failures == 0 ? 0 : 1;
}
