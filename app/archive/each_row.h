// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All rows of one question to an archive, page after page, in the order that the query asks for.
#include "app/archive/archive_reader.h"

#include <algorithm>

namespace switchyard::archive {

// take(T &row) may move from the row.
template<class T, class Take>
Result<void> eachRow(ArchiveReader &reader, Result<Page<T>> (ArchiveReader::*question)(const Query &), Query query, Take take)
{
    do {
        auto page = (reader.*question)(query);
        if (!page)
            return tl::unexpected(page.error());
        std::for_each(page->rows.begin(), page->rows.end(), take);
        query.after = page->next;
    } while (query.after);
    return {};
}

} // namespace switchyard::archive
