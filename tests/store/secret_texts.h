// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Watch events with secrets in them, hunter-01 and so on, wherever somebody may have put one.
#include "models/core/object.h"

#include <cstdio>

namespace switchyard::test::secrets {

struct Line
{
    Resource resource{};
    std::string text;
};

std::vector<Line> lines();
inline int count()
{
    return 40;
}
inline std::string secret(int n)
{
    char text[16];
    std::snprintf(text, sizeof text, "hunter-%02d", n);
    return text;
}

} // namespace switchyard::test::secrets
