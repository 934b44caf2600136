// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One watch of a context as the store sees it: is it good, how far is it known to be current, which clusters wait on its clock.
//
//   connecting ─list─► live ─lost─► stale/forbidden ─list or event─► live
// After a break (lost, expired version, failed probe) whatever comes next happened somewhere since the stream was last current. A
// backlog may come slowly and proves nothing of the present; when it has ended can only be guessed: for a lock, where much depends
// on it, see LockTrail::doubtfulSince.
// A silence need not be one of the server: the network, or the server, may have stood still with the connection alive. What comes first
// after it may have been under way ever since it began, and what comes then is behind that. Only bytes that keep coming show
// that a stream is not far behind.
#include "models/events/lock_trail.h"
#include "models/store/cluster_store.h"

#include <utility>

namespace switchyard {

class ClusterTrack;

// Which of two is to be shown: unknown because refused is worse than stale, stale worse than not there yet.
int rank(patroni::Freshness f);

class Stream
{
public:
    Stream(Resource resource, std::string ns);

    const StreamState &state() const { return m_state; }
    StreamState shown() const; // a failed probe included
    bool everListed() const { return m_everListed; }
    bool covers(Resource resource, const std::string &ns) const
    {
        return m_state.resource == resource && (m_state.ns.empty() || m_state.ns == ns);
    }
    // What it tells of. All else is as it was last seen, for all we know.
    const Coverage &coverage() const { return m_coverage; }
    void narrow(const std::string &labelKey) { m_coverage.labelKey = labelKey; }
    // Until then all objects that it tells of are known to be as we have them.
    std::optional<Boot> provenAt() const { return m_provenAt; }
    // The same for what it told of before only named objects were read.
    std::optional<Boot> outsideProvenAt() const { return m_outsideProvenAt; }

    void contact(Boot at);
    void bytes(Boot at); // contact by the stream itself
    void lost(const Error &error);
    void breakOff();              // a gap without a loss: the version expired, a probe failed
    void clockJumped();           // stale until listed again
    void unreadable(bool ofList); // one item or line could not be read
    // Asked once a list: may what is missing from it be taken for deleted?
    bool listWasWhole() { return !std::exchange(m_itemsUnreadable, false); }
    void probed(Boot at) { m_probedAt = at; }
    std::optional<Boot> probedAt() const { return m_probedAt; }
    void probeFailed(const Error &error);
    void heard() { m_probeError.reset(); } // any byte or good probe
    // Live and without a break: an event more changes nothing of its state.
    bool isCalm() const { return m_state.freshness == patroni::Freshness::Live && m_state.listed && !m_gap && !m_probeError; }
    // Nothing may be taken to have been seen until a list or an event ends this.
    bool broken() const { return m_gap; }
    // Our own eyes are shut: locks are stale, time does not pass for them.
    bool blind() const;
    // Returns since when we did not look, for a list or event that ends such a time.
    std::optional<Boot> listed(Boot at, const Listed &list, Boot asked);
    std::optional<Boot> event(Boot at);
    // The last break that no list has ended.
    const std::optional<Gap> &gap() const { return m_passed; }
    // The last time that not a byte came of the stream for longer than it may be behind unnoticed.
    const std::optional<Gap> &silence() const { return m_silence; }
    // How far its events tell all there is to tell of an object, if it was followed since the last silence and gap.
    std::optional<Boot> toldUntil() const { return m_toldUntil; }
    // The same for what was seen beside the stream: that ends nothing.
    std::optional<Boot> aside() const { return m_gap || m_backlog ? m_provenAt : std::nullopt; }
    // Without a watch: the time between two lists, in which nothing can be heard. 0: there is a watch.
    Duration every() const { return m_every; }
    // The versions that the stream has told of. A list of an earlier one: the server's data was put back to an earlier time.
    void reached(const std::string &version);
    bool wentBack(const std::string &version) const;
    void startOver() { m_reached.clear(); }
    // Called once the changes of an observation are in: everything else is still as it was. False: that cannot be said.
    bool prove(Boot at);

    std::set<std::pair<Boot, ClusterTrack *>> deadlines;
    std::set<ClusterTrack *> unproven; // locks past their ttl that the next proof decides

private:
    StreamState m_state;
    bool m_everListed = false, m_gap = false, m_backlog = false, m_wantsList = false, m_itemsUnreadable = false;
    std::optional<Error> m_probeError;
    std::optional<Boot> m_provenAt, m_probedAt, m_lastEvent;
    std::optional<Gap> m_passed, m_silence;
    std::optional<Boot> m_heardAt, m_toldUntil;
    Duration m_every{};
    std::string m_reached;
    Coverage m_coverage;
    std::optional<Boot> m_outsideProvenAt;
};

} // namespace switchyard
