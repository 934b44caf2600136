// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/doubt_text.h"

#include "views/words.h"

namespace switchyard::views {

QString doubtText(Duration d)
{
    using namespace std::chrono;
    constexpr Duration tenth = milliseconds(100);
    if (d < seconds(1))
        return durationText(ceil<milliseconds>(d));
    if (d < seconds(10))
        return durationText(tenth * ((d + tenth - Duration(1)) / tenth));
    if (d < hours(1))
        return durationText(ceil<seconds>(d));
    return durationText(d < days(1) ? Duration(ceil<minutes>(d)) : Duration(ceil<hours>(d)));
}

} // namespace switchyard::views
