// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/main_window.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;

QString pageCode(Page page)
{
    switch (page) {
    case Page::Fleet: return u"fleet"_s;
    case Page::Cluster: return u"cluster"_s;
    case Page::History: return u"history"_s;
    case Page::Events: return u"events"_s;
    case Page::Elections: return u"elections"_s;
    case Page::Contexts: return u"contexts"_s;
    case Page::Permissions: return u"permissions"_s;
    case Page::Audit: return u"audit"_s;
    case Page::Dossier: return u"dossier"_s;
    }
    return {};
}

std::optional<Page> pageFromCode(const QString &code)
{
    for (int i = 0; i < pageCount; ++i) {
        if (code == pageCode(static_cast<Page>(i)))
            return static_cast<Page>(i);
    }
    return std::nullopt;
}

std::optional<Page> pageOfPicture(const QString &code)
{
    if (code == u"health"_s)
        return Page::Fleet;
    if (code == u"leaders"_s || code == u"renewals"_s || code == u"lag"_s)
        return Page::History;
    return std::nullopt;
}

} // namespace switchyard::views
