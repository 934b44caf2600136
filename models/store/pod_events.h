// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The core/v1 Events about Pods of one context. They come by a stream of their own, which proves nothing and whose silence or refusal
// means nothing for any cluster: no Stream is made of it.
#include "models/core/observation.h"
#include "models/events/moment.h"

#include <deque>
#include <map>
#include <optional>

namespace switchyard {

class PodEvents
{
public:
    struct Item
    {
        KubeObject object;
        Moment moment;
        std::optional<Instant> told; // its own time when it was last told
    };
    // True: worth telling. An Event that is only counted up is told once a minute.
    bool put(const KubeObject &object, const Moment &moment);
    // Those about a Pod, oldest first.
    std::vector<const Item *> of(const std::string &ns, const std::string &pod) const;

    void setListed(const std::string &watchedNs) { m_listed[watchedNs] = m_permitted[watchedNs] = true; }
    bool listed(const std::string &watchedNs) const { return m_listed.contains(watchedNs); }
    void setPermitted(const std::string &watchedNs, bool permitted) { m_permitted[watchedNs] = permitted; }
    // May Events of the namespace be read? nullopt: not known.
    std::optional<bool> permitted(const std::string &ns) const;

private:
    std::deque<Item> m_items; // bounded
    std::map<std::string, bool> m_permitted, m_listed;
};

} // namespace switchyard
