// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// --follow: a row for whatever is new or has changed since it was last printed. Moving values that say nothing new (as_of, lock_age_s)
// do not count as a change.
#include "app/headless/report.h"

#include <set>

namespace switchyard::headless {

class Follower
{
public:
    Follower(Options options, Sinks sinks);
    // False: nobody reads any more. known: the clusters that may have changed, and the new events only.
    bool update(const Known &known);

private:
    bool isNew(const Row &row);
    bool isKey(std::size_t column) const;
    void neverBack(Row &row);

    Options m_options;
    Sinks m_sinks;
    std::vector<Column> m_columns;
    bool m_started = false;
    std::map<std::string, std::string> m_last; // identity of a row -> what it last said
    std::map<std::string, Instant> m_asOf;     // cluster -> the latest moment that a row was of
};

} // namespace switchyard::headless
