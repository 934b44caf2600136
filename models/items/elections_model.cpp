// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/elections_model.h"

#include "models/items/fleet_model.h"
#include "models/store/record_key.h"

#include <algorithm>

namespace switchyard::items {

using namespace std::chrono_literals;
using election::Election;
using election::Key;

namespace {

constexpr Duration rateAfter = 10min; // before, a rate would be a guess

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QVariant orInvalid(const std::optional<std::string> &s)
{
    return s ? QVariant(text(*s)) : QVariant();
}

template<class Number>
QVariant numberOrInvalid(const std::optional<Number> &value)
{
    return value ? QVariant(qint64(*value)) : QVariant();
}

QString filterText(const Election &e)
{
    QString all = text(code(e.state)) + u' ' + text(code(e.kind));
    for (const std::string &part : {e.key.context, e.key.ns, e.key.name, e.holder.value_or(""), e.pod ? e.pod->name : std::string()})
        all += u' ' + text(part);
    return all.toLower();
}

// Without what no table shows and what may be large; into what is there, so that a renewal allocates nothing.
void takeForTable(Election &row, const Election &e)
{
    row.key = e.key;
    row.kind = e.kind;
    row.state = e.state;
    row.holder = e.holder;
    row.disagrees = e.disagrees;
    row.noise = e.noise;
    row.createdAt = e.createdAt;
    row.duration = e.duration;
    row.acquiredAt = e.acquiredAt;
    row.renewedAt = e.renewedAt;
    row.transitions = e.transitions;
    row.pod = e.pod;
    row.podsReadable = e.podsReadable;
    row.watchedSince = e.watchedSince;
    row.firstSeen = e.firstSeen;
    row.changedNotBefore = e.changedNotBefore;
    row.changedNotAfter = e.changedNotAfter;
    row.confirmedAt = e.confirmedAt;
    row.expiresAt = e.expiresAt;
    row.rhythm = e.rhythm;
    row.freshness = e.freshness;
    row.lastContact = e.lastContact;
}

int takeoversOf(const Election &e)
{
    return static_cast<int>(std::count_if(e.changes.begin(), e.changes.end(), [](const election::HolderChange &change) {
        return change.kind == election::ChangeKind::TakenOver || change.kind == election::ChangeKind::Retaken;
    }));
}

bool judgedAnew(const Election &a, const Election &b)
{
    return a.state != b.state || a.disagrees != b.disagrees || a.freshness != b.freshness || a.kind != b.kind || a.noise != b.noise;
}

bool differs(const Election &a, const Election &b, int column)
{
    switch (column) {
    case ElectionsModel::Holder: return a.holder != b.holder;
    case ElectionsModel::Pod: return a.pod != b.pod || a.podsReadable != b.podsReadable;
    case ElectionsModel::Record:
        return a.expiresAt != b.expiresAt || a.changedNotAfter != b.changedNotAfter || a.firstSeen != b.firstSeen
            || a.createdAt != b.createdAt;
    case ElectionsModel::Renewed: return a.renewedAt != b.renewedAt;
    case ElectionsModel::Lasts: return a.duration != b.duration;
    case ElectionsModel::Transitions: return a.transitions != b.transitions;
    default: return false;
    }
}

} // namespace

int electionRank(const Election &e)
{
    using election::State;
    constexpr int quiet = 20;
    switch (e.state) {
    case State::Stuck: return 0;
    case State::Expired: return 1;
    case State::Invalid: return 2;
    case State::Orphaned: return 3;
    case State::Recreated: return 4;
    case State::Evicted: return 5;
    case State::Preempted: return 6;
    case State::NodeNotReady: return 7;
    case State::Late: return 8;
    case State::Terminating: return 9;
    case State::Stale: return e.disagrees ? 10 : quiet;
    case State::Unverified: return e.disagrees ? 10 : quiet + 1;
    case State::Released: return e.disagrees ? 10 : quiet + 2;
    case State::Held: return e.disagrees ? 10 : quiet + 3;
    }
    return quiet;
}

std::optional<Duration> recordAge(const Election &e, Now now)
{
    if (!e.changedNotAfter || e.freshness != patroni::Freshness::Live || e.state == election::State::Stale)
        return {};
    return std::max(Duration::zero(), now.boot - *e.changedNotAfter);
}

struct ElectionsModel::Row
{
    Election e;
    int takeovers = 0;
    std::array<std::optional<Boot>, ColumnCount> changedAt{};

    // Says which cells are to be shown anew.
    Columns replace(const Election &fresh, Now now)
    {
        const bool judged = judgedAnew(e, fresh);
        const int seen = takeoversOf(fresh);
        Columns shown{};
        for (int column = 0; column < ColumnCount; ++column)
            shown[static_cast<std::size_t>(column)] = judged || differs(e, fresh, column);
        shown[Rate] = judged || seen != takeovers;
        // A renewal is no news; a new state or holder is.
        changedAt[State] = e.state != fresh.state || e.disagrees != fresh.disagrees ? std::optional(now.boot) : changedAt[State];
        for (const Column column : {Holder, Pod, Transitions})
            if (differs(e, fresh, column))
                changedAt[column] = now.boot;
        takeForTable(e, fresh);
        takeovers = seen;
        return shown;
    }
};

// What a SortedTableModel asks.
struct ElectionsModel::Table
{
    Now now;
    static const Key &keyOf(const Row &row) { return row.e.key; }
    static const Key &keyOf(const Election &e) { return e.key; }
    Columns replace(Row &row, const Election &e) const { return row.replace(e, now); }
    static Row make(const Election &e)
    {
        Row row;
        takeForTable(row.e, e);
        row.takeovers = takeoversOf(e);
        return row;
    }
};

ElectionsModel::ElectionsModel(QObject *parent)
    : SortedTableModel(parent)
{}

ElectionsModel::~ElectionsModel() = default;

void ElectionsModel::update(const std::vector<const Election *> &all, Now now)
{
    m_now = now;
    mergeAll(m_rows, all, Table{now});
}

void ElectionsModel::updateSome(const std::vector<const Election *> &changed, const std::vector<Key> &removed, Now now)
{
    m_now = now;
    mergeSome(m_rows, changed, removed, Table{now});
}

void ElectionsModel::tick(Now now)
{
    m_now = now;
    if (m_rows.empty())
        return;
    // All ages grow alike: no order changes, so SortRole is not named and a sorting proxy has nothing to do.
    const QList<int> roles{Qt::DisplayRole, Qt::ToolTipRole, RawRole};
    const int last = rowCount() - 1;
    Q_EMIT dataChanged(index(0, Record), index(last, Rate), roles);
}

const Election *ElectionsModel::electionAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].e : nullptr;
}

int ElectionsModel::rowOf(const Key &key) const
{
    const auto at = find(m_rows, key, Table{});
    return at != m_rows.end() ? static_cast<int>(at - m_rows.begin()) : -1;
}

Now ElectionsModel::now() const
{
    return m_now;
}

int ElectionsModel::takeoversAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].takeovers : 0;
}

std::optional<Duration> ElectionsModel::watchedFor(int row) const
{
    const Election *e = electionAt(row);
    return e && e->watchedSince ? std::optional(std::max(Duration::zero(), m_now.boot - *e->watchedSince)) : std::nullopt;
}

int ElectionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ElectionsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ElectionsModel::raw(const Row &row, int column) const
{
    const Election &e = row.e;
    switch (column) {
    case State: return text(code(e.state));
    case Name: return text(e.key.name);
    case Namespace: return text(e.key.ns);
    case Kind: return text(code(e.kind));
    case Holder: return e.state == election::State::Released ? QVariant(QString()) : orInvalid(e.holder);
    case Pod: return e.pod ? QVariant(text(e.pod->name)) : QVariant();
    case Record: {
        if (election::leads(e.state) && e.expiresAt)
            return toSeconds(*e.expiresAt - m_now.boot);
        const auto age = recordAge(e, m_now);
        return age ? QVariant(toSeconds(*age)) : QVariant();
    }
    case Renewed: return e.renewedAt ? QVariant(qint64(e.renewedAt->time_since_epoch().count())) : QVariant();
    case Lasts: return numberOrInvalid(e.duration);
    case Transitions: return numberOrInvalid(e.transitions);
    case Rate: {
        if (!row.e.watchedSince || m_now.boot - *row.e.watchedSince < rateAfter)
            return {};
        return row.takeovers * 3600.0 / toSeconds(m_now.boot - *row.e.watchedSince);
    }
    case Context: return text(e.key.context);
    default: return {};
    }
}

QVariant ElectionsModel::sortValue(const Row &row, int column) const
{
    const Election &e = row.e;
    if (column == State)
        return electionRank(e);
    if (column == Record) // the oldest record first, whatever is left of it; nothing that ages: order holds between renewals
        return e.changedNotAfter ? QVariant(qint64(e.changedNotAfter->time_since_epoch().count())) : QVariant();
    return raw(row, column);
}

QVariant ElectionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const Election &e = row.e;
    switch (role) {
    case RawRole: return raw(row, index.column());
    case SortRole: return sortValue(row, index.column());
    case FilterRole: return filterText(e);
    case CodeRole: return index.column() == State || index.column() == Kind ? raw(row, index.column()) : QVariant();
    case StaleRole: return e.state == election::State::Stale || e.freshness != patroni::Freshness::Live;
    case AsOfRole: return e.lastContact ? QVariant(qint64(e.lastContact->time_since_epoch().count())) : QVariant();
    case KeyRole: return QVariant::fromValue(patroni::ClusterKey{e.key.context, e.key.ns, {}, {}, {}});
    case RecordRole: return QVariant::fromValue(recordKey(e.key));
    case NoiseRole: return e.noise;
    case ChangedAtRole: {
        const auto &at = row.changedAt[static_cast<std::size_t>(index.column())];
        return at ? QVariant(qint64(at->time_since_epoch().count())) : QVariant();
    }
    default: return {};
    }
}

} // namespace switchyard::items
