// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/elections_model.h"

#include "models/items/fleet_model.h"
#include "models/rules/episodes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace switchyard::items {

using namespace std::chrono_literals;
using election::Election;
using election::Key;

namespace {

constexpr std::size_t manyRows = 32;
constexpr Duration rateAfter = 10min; // before, a rate would be a guess
constexpr Duration lately = 5min;     // what ran out longer ago was abandoned, and says nothing of the API server now

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
    row.firstSeen = e.firstSeen;
    row.changedNotBefore = e.changedNotBefore;
    row.changedNotAfter = e.changedNotAfter;
    row.confirmedAt = e.confirmedAt;
    row.expiresAt = e.expiresAt;
    row.rhythm = e.rhythm;
    row.freshness = e.freshness;
    row.lastContact = e.lastContact;
}

bool isTakeover(const election::HolderChange &change)
{
    return change.kind == election::ChangeKind::TakenOver || change.kind == election::ChangeKind::Retaken;
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

const QList<int> &allRoles()
{
    static const QList<int> roles{Qt::DisplayRole, RawRole, SortRole, FilterRole, CodeRole, StaleRole, AsOfRole, ChangedAtRole};
    return roles;
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

// Since when the election is looked at, as far as is remembered: firstSeen is of the record that stands now.
std::optional<Boot> watchedSince(const Election &e)
{
    std::optional<Boot> since = e.firstSeen;
    const auto earlier = [&since](Boot at) {
        if (at != Boot{} && (!since || at < *since))
            since = at;
    };
    if (!e.changes.empty())
        earlier(e.changes.front().at);
    if (!e.renewals.empty())
        earlier(e.renewals.front().at);
    return since;
}

struct ElectionsModel::Row
{
    Election e;
    std::optional<Boot> since;
    int takeovers = 0;
    std::array<std::optional<Boot>, ColumnCount> changedAt{};

    // Says which cells are to be shown anew.
    Columns replace(const Election &fresh, Now now)
    {
        const bool judged = judgedAnew(e, fresh);
        const auto seen = static_cast<int>(std::count_if(fresh.changes.begin(), fresh.changes.end(), isTakeover));
        Columns shown{};
        for (int column = 0; column < ColumnCount; ++column)
            shown[static_cast<std::size_t>(column)] = judged || differs(e, fresh, column);
        shown[Rate] = judged || seen != takeovers;
        // A renewal is no news; a new state or holder is.
        changedAt[State] = e.state != fresh.state || e.disagrees != fresh.disagrees ? std::optional(now.boot) : changedAt[State];
        for (const Column column : {Holder, Pod, Transitions})
            if (differs(e, fresh, column))
                changedAt[column] = now.boot;
        if (const auto then = watchedSince(fresh); then && (!since || *then < *since))
            since = then;
        takeForTable(e, fresh);
        takeovers = seen;
        return shown;
    }
};

namespace {

constexpr auto byKey = [](const auto &row, const Key &key) { return row.e.key < key; };

} // namespace

ElectionsModel::ElectionsModel(QObject *parent)
    : QAbstractTableModel(parent)
{}

ElectionsModel::~ElectionsModel() = default;

void ElectionsModel::update(const std::vector<const Election *> &all, Now now)
{
    std::set<Key> wanted;
    for (const Election *e : all)
        wanted.insert(e->key);
    std::vector<Key> gone;
    for (const Row &row : m_rows)
        if (!wanted.contains(row.e.key))
            gone.push_back(row.e.key);
    updateSome(all, gone, now);
}

void ElectionsModel::updateSome(const std::vector<const Election *> &changed, const std::vector<Key> &removed, Now now)
{
    m_now = now;
    for (const Key &key : removed) {
        const int row = rowOf(key);
        if (row < 0)
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    std::vector<const Election *> fresh;
    std::vector<std::pair<int, Columns>> together;
    const bool many = changed.size() > manyRows;
    for (const Election *e : changed) {
        const int row = rowOf(e->key);
        if (row < 0) {
            fresh.push_back(e);
            continue;
        }
        const Columns shown = m_rows[static_cast<std::size_t>(row)].replace(*e, now);
        // At once: a sorting proxy takes all other rows to be as it knows them.
        if (many)
            together.emplace_back(row, shown);
        else
            tell(row, row, shown);
    }
    tell(together);
    insert(std::move(fresh));
}

// Of many, one signal for each run of columns: a proxy is to work once, not a thousand times.
void ElectionsModel::tell(const std::vector<std::pair<int, Columns>> &shown)
{
    if (shown.empty())
        return;
    Columns together{};
    for (const auto &row : shown)
        for (std::size_t column = 0; column < together.size(); ++column)
            together.at(column) = together.at(column) || row.second.at(column);
    const auto [first, last] = std::minmax_element(shown.begin(), shown.end());
    tell(first->first, last->first, together);
}

void ElectionsModel::tell(int firstRow, int lastRow, const Columns &columns)
{
    for (int first = 0; first < ColumnCount; ++first) {
        if (!columns[static_cast<std::size_t>(first)])
            continue;
        int last = first;
        while (last + 1 < ColumnCount && columns[static_cast<std::size_t>(last) + 1])
            ++last;
        Q_EMIT dataChanged(index(firstRow, first), index(lastRow, last), allRoles());
        first = last;
    }
}

// One signal for each run of rows side by side.
void ElectionsModel::insert(std::vector<const Election *> fresh)
{
    std::sort(fresh.begin(), fresh.end(), [](const Election *a, const Election *b) { return a->key < b->key; });
    for (std::size_t i = 0; i < fresh.size();) {
        const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), fresh[i]->key, byKey);
        std::vector<Row> run;
        for (; i < fresh.size() && (at == m_rows.end() || fresh[i]->key < at->e.key); ++i) {
            Row &row = run.emplace_back();
            takeForTable(row.e, *fresh[i]);
            row.since = watchedSince(*fresh[i]);
            row.takeovers = static_cast<int>(std::count_if(fresh[i]->changes.begin(), fresh[i]->changes.end(), isTakeover));
        }
        const int first = static_cast<int>(at - m_rows.begin());
        beginInsertRows({}, first, first + static_cast<int>(run.size()) - 1);
        m_rows.insert(at, std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
        endInsertRows();
    }
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
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), key, byKey);
    return at != m_rows.end() && at->e.key == key ? static_cast<int>(at - m_rows.begin()) : -1;
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
    if (row < 0 || row >= rowCount() || !m_rows[static_cast<std::size_t>(row)].since)
        return {};
    return std::max(Duration::zero(), m_now.boot - *m_rows[static_cast<std::size_t>(row)].since);
}

std::vector<ElectionsModel::LateTogether> ElectionsModel::lateTogether() const
{
    using election::State;
    std::map<std::string, LateTogether> all;
    for (const Row &row : m_rows) {
        const Election &e = row.e;
        if (e.key.family == election::Family::LeaderForLife)
            continue;
        const auto age = recordAge(e, m_now);
        const bool late = e.state == State::Late || ((e.state == State::Expired || e.state == State::Stuck) && age && *age < lately);
        if (!late && e.state != State::Held)
            continue;
        LateTogether &of = all[e.key.context];
        ++of.of;
        of.late += late ? 1 : 0;
    }
    std::vector<LateTogether> suspect;
    for (auto &[context, of] : all) {
        of.context = text(context);
        if (rules::manyLate(of.late, of.of))
            suspect.push_back(of);
    }
    return suspect;
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
        if (!row.since || m_now.boot - *row.since < rateAfter)
            return {};
        return row.takeovers * 3600.0 / toSeconds(m_now.boot - *row.since);
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
    case NoiseRole: return e.noise;
    case ChangedAtRole: {
        const auto &at = row.changedAt[static_cast<std::size_t>(index.column())];
        return at ? QVariant(qint64(at->time_since_epoch().count())) : QVariant();
    }
    default: return {};
    }
}

} // namespace switchyard::items
