// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the members of one cluster said a while ago, from the history that the context's table keeps.
#include "models/store/store_context.h"

namespace switchyard {

class ContextPast : public MembersPast
{
public:
    ContextPast(const StoreContext &context, const ClusterTrack &track)
        : m_context(context)
        , m_track(track)
    {}
    MembersAsOf asOf(const std::string &version) const override;
    MembersAsOf now() const override;
    std::vector<const MemberFact *> between(const std::string &from, const std::optional<std::string> &to) const override;

private:
    const ContextTable *table() const;

    const StoreContext &m_context;
    const ClusterTrack &m_track;
};

} // namespace switchyard
