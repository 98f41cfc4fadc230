// must fail with: lately.hpp needs C..17
// flags: -std=c++14
#include <lately.hpp>
