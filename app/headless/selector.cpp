// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/selector.h"

#include <algorithm>
#include <limits>

namespace switchyard::headless {

bool ClusterSelector::matches(const patroni::ClusterKey &key) const
{
    return key.ns == ns && key.scope == scope && (!group || key.group == group);
}

std::string ClusterSelector::text() const
{
    return ns + '/' + scope + (group ? ':' + std::to_string(*group) : std::string());
}

std::optional<ClusterSelector> parseSelector(std::string_view text)
{
    const auto slash = text.find('/');
    if (slash == std::string_view::npos || slash == 0)
        return std::nullopt;
    ClusterSelector selector;
    selector.ns = text.substr(0, slash);
    std::string_view scope = text.substr(slash + 1);
    if (const auto colon = scope.rfind(':'); colon != std::string_view::npos) {
        const auto group = parseUnsigned(scope.substr(colon + 1));
        if (!group || *group > std::numeric_limits<int>::max())
            return std::nullopt;
        selector.group = static_cast<int>(*group);
        scope = scope.substr(0, colon);
    }
    if (scope.empty() || scope.find_first_of("/:") != std::string_view::npos)
        return std::nullopt;
    selector.scope = scope;
    return selector;
}

bool matchesAny(const std::vector<ClusterSelector> &selectors, const patroni::ClusterKey &key)
{
    return selectors.empty()
        || std::any_of(selectors.begin(), selectors.end(), [&](const ClusterSelector &selector) { return selector.matches(key); });
}

} // namespace switchyard::headless
