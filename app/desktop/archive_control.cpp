// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/archive_control.h"

#include "app/archive/each_row.h"
#include "app/archive/merge.h"
#include "views/words.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QStatusBar>
#include <QUuid>

#include <pwd.h>
#include <unistd.h>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using archive::ArchiveReader;
using archive::ArchiveState;
using views::text;

namespace {

constexpr int olderEvents = 2000;
constexpr int olderObjects = 2000;                          // states, for dossiers
constexpr Duration pastShown = std::chrono::hours(24 * 30); // in pictures
constexpr int hitsAtOnce = 200;
constexpr std::size_t auditAtOnce = 200;

QString osUser()
{
    const ::passwd *entry = ::getpwuid(::geteuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : QString::number(::geteuid());
}

// Everything of one question, page after page.
template<class T>
Result<std::vector<T>> all(ArchiveReader &reader, Result<archive::Page<T>> (ArchiveReader::*question)(const archive::Query &),
                           archive::Query query)
{
    std::vector<T> rows;
    query.newestFirst = false;
    const auto read = archive::eachRow<T>(reader, question, query, [&](T &row) { rows.push_back(std::move(row)); });
    if (!read)
        return tl::unexpected(read.error());
    return rows;
}

views::ArchiveHit hitOf(const archive::Hit &hit)
{
    const std::string_view kind = code(hit.kind);
    return {hit.cluster.key(), hit.at,         QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
            text(hit.id),      text(hit.text), archive::tellsOfHolder(hit)};
}

QString noteLine(const archive::NoteRecord &note)
{
    return u"%1 %2: %3"_s.arg(views::timeText(note.at), text(note.author), text(note.text));
}

} // namespace

ArchiveControl::ArchiveControl(const archive::ArchiveOptions &options, Monitor *monitor, views::MainWindow *window,
                               items::EventsModel *events, QString auditPath, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_events(events)
    , m_auditPath(std::move(auditPath))
    , m_servers(monitor)
    , m_collector([this](const std::string &context) { return m_servers.of(context); })
    , m_archive(options)
    , m_reads(options.location)
    , m_elections(&m_reads)
    , m_button(new QToolButton(window))
{
    connect(monitor, &Monitor::changed, this, &ArchiveControl::collect);
    connect(monitor, &Monitor::electionsChanged, this,
            [this](const election::Changes &changes) { keep(m_collector.collect(m_monitor->elections(), changes, m_monitor->now())); });
    connect(&m_servers, &ArchiveServers::known, this, &ArchiveControl::askAgain);
    connect(&m_elections, &ArchiveElections::remembered, this, &ArchiveControl::electionRemembered);
    connect(&m_archive, &archive::Archive::stateChanged, this, &ArchiveControl::showState);
    connect(&m_second, &QTimer::timeout, this, &ArchiveControl::copyAudit);
    m_button->setAutoRaise(true);
    m_button->setObjectName(u"archive"_s);
    m_button->setShortcut(QKeySequence(u"Ctrl+Shift+A"_s));
    connect(m_button, &QToolButton::clicked, this, &ArchiveControl::openSearch);
    window->statusBar()->addPermanentWidget(m_button);
    offerImport();
    showState();
}

ArchiveControl::~ArchiveControl() = default;

void ArchiveControl::start()
{
    m_archive.start();
    m_second.start(1s);
}

void ArchiveControl::collect(const StoreChanges &changes)
{
    keep(m_collector.collect(m_monitor->store(), changes, m_monitor->now()));
    if (const auto open = m_window->openedCluster(); open && changes.clusters.contains(*open))
        askAgain();
}

// What this run knows no longer one by one was read before it was written.
void ArchiveControl::keep(archive::Records records)
{
    for (const archive::Record &record : records) {
        const auto *renewals = std::get_if<archive::RenewRecord>(&record);
        if (!renewals)
            continue;
        m_elections.add(*renewals);
        const patroni::ClusterKey key = renewals->cluster.key();
        const auto memory = m_memory.find(key);
        if (memory != m_memory.end() && archive::addMinute(memory->second.past.renewals, archive::minuteOf(*renewals)))
            Q_EMIT renewed(key);
    }
    if (!records.empty())
        m_archive.add(std::move(records));
}

// A cluster that was opened before it was seen, or before its API server told who it is, is looked for by what is known of it now.
void ArchiveControl::askAgain()
{
    const auto open = m_window->openedCluster();
    const patroni::Cluster *cluster = open ? m_monitor->store().find(*open) : nullptr;
    if (cluster) {
        const archive::ClusterId id = m_collector.identify(*open, cluster), &asked = m_asked[*open];
        const bool lost = id.incarnation.empty() && !asked.incarnation.empty();
        if (id != asked && !lost)
            opened(*open);
    }
    if (!m_elections.key().name.empty())
        opened(m_elections.key());
}

void ArchiveControl::showState()
{
    const ArchiveState &state = m_archive.state();
    const QString size = QLocale().formattedDataSize(state.bytes, 0);
    QString shown = tr("Archive");
    QString more;
    switch (state.step) {
    case ArchiveState::Step::Off:
    case ArchiveState::Step::Opening: more = tr("The archive is being opened."); break;
    case ArchiveState::Step::Open: more = tr("Kept in %1, %2.").arg(state.location, size); break;
    case ArchiveState::Step::Failed:
        shown = tr("Archive: not written");
        more = tr("%1\nWhat is seen is kept in memory until it can be written: %2.")
                   .arg(text(describe(*state.error)), QString::number(state.waiting));
        break;
    }
    if (state.lost > 0)
        more += u'\n' + tr("%1 did not fit into memory and are lost.").arg(state.lost);
    m_button->setText(shown);
    m_button->setToolTip(more + u"\n\n"_s + tr("Search it: Ctrl+Shift+A"));
    m_button->setAccessibleDescription(more);
    if (m_dialog)
        m_dialog->setState(more);
    if (state.step == ArchiveState::Step::Open && !std::exchange(m_olderRead, true))
        readOlder();
    if (std::exchange(m_step, state.step) == state.step || state.step != ArchiveState::Step::Open)
        return;
    if (const auto open = m_window->openedCluster())
        opened(*open);
    m_elections.lookAgain();
}

// The newest of what was seen before this run. Asked for when the archive is open, and what this run has seen by then is there too.
void ArchiveControl::readOlder()
{
    m_reads.ask<archive::Page<archive::EventRecord>>(
        [](ArchiveReader &reader) {
            archive::Query query;
            query.most = olderEvents;
            return reader.events(query);
        },
        this,
        [this](const auto &page) {
            if (!page)
                return;
            std::vector<Event> events;
            for (const archive::EventRecord &record : page->rows)
                events.push_back(record.event);
            m_events->appendOlder(events);
        });
}

void ArchiveControl::copyAudit()
{
    const QFileInfo file(m_auditPath);
    const std::pair<qint64, QDateTime> seen{file.exists() ? file.size() : 0, file.exists() ? file.lastModified() : QDateTime()};
    if (seen == m_auditCopied)
        return;
    m_auditCopied = seen;
    const auto page = actions::readAudit(m_auditPath, auditAtOnce);
    if (!page)
        return; // the audit page says it
    archive::Records records;
    for (const actions::AuditEntry &entry : page->entries)
        records.emplace_back(archive::AuditRecord{entry});
    m_archive.add(std::move(records));
}

patroni::Cluster ArchiveControl::shown(const patroni::Cluster &cluster) const
{
    patroni::Cluster all = cluster;
    const auto memory = m_memory.find(cluster.names.key);
    if (memory != m_memory.end())
        all.transitions = archive::withArchived(cluster.transitions, memory->second.transitions);
    return all;
}

Result<ArchiveControl::Memory> ArchiveControl::remember(ArchiveReader &reader, const archive::ClusterId &id, const patroni::ClusterKey &key,
                                                        Instant firstLook)
{
    Memory memory;
    const auto row = reader.rowOf(id);
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return memory;
    archive::Query query;
    query.clusters = {**row};
    auto transitions = all<archive::TransitionRecord>(reader, &ArchiveReader::transitions, query);
    if (!transitions)
        return tl::unexpected(transitions.error());
    for (archive::TransitionRecord &record : *transitions) {
        if (record.cluster.incarnation == id.incarnation) // of a former one of that name: in the archive only
            memory.transitions.push_back(std::move(record.transition));
    }
    auto notes = all<archive::NoteRecord>(reader, &ArchiveReader::notes, query);
    auto past = archive::readPast(reader, id, key, firstLook - pastShown, firstLook);
    query.most = olderObjects;
    auto objects = reader.snapshots(query);
    if (!notes || !past || !objects)
        return tl::unexpected(!notes ? notes.error() : !past ? past.error() : objects.error());
    memory.notes = std::move(*notes);
    memory.past = std::move(*past);
    for (archive::SnapshotRecord &record : objects->rows) {
        if (record.cluster.incarnation == id.incarnation)
            memory.objects.push_back({record.seen, {record.object, record.resourceVersion, {}, std::move(record.annotations)}});
    }
    return memory;
}

void ArchiveControl::opened(const patroni::ClusterKey &key)
{
    const archive::ClusterId id = m_collector.identify(key, m_monitor->store().find(key));
    const Instant firstLook = m_firstLook ? m_firstLook(key) : m_monitor->now().wall;
    m_asked[key] = id;
    m_reads.ask<Memory>([id, key, firstLook](ArchiveReader &reader) { return remember(reader, id, key, firstLook); }, this,
                        [this, key](const Result<Memory> &memory) {
                            if (!memory)
                                return;
                            m_memory[key] = *memory;
                            Q_EMIT remembered(key);
                        });
}

void ArchiveControl::opened(const election::Key &key)
{
    const patroni::Cluster *cluster = clusterOf(m_monitor->store(), key);
    m_elections.look(key, cluster ? m_collector.identify(cluster->names.key, cluster) : m_collector.identify(key),
                     m_monitor->now().wall - pastShown);
}

const archive::Past &ArchiveControl::past(const patroni::ClusterKey &key) const
{
    static const archive::Past none;
    const auto memory = m_memory.find(key);
    return memory == m_memory.end() ? none : memory->second.past;
}

const std::vector<SeenObject> &ArchiveControl::objects(const patroni::ClusterKey &key) const
{
    static const std::vector<SeenObject> none;
    const auto memory = m_memory.find(key);
    return memory == m_memory.end() ? none : memory->second.objects;
}

std::vector<archive::NoteRecord> ArchiveControl::notes(const patroni::ClusterKey &key, const std::string &transition) const
{
    std::vector<archive::NoteRecord> found;
    const auto memory = m_memory.find(key);
    if (memory == m_memory.end())
        return found;
    std::copy_if(memory->second.notes.begin(), memory->second.notes.end(), std::back_inserter(found),
                 [&](const archive::NoteRecord &note) { return note.transition == transition; });
    return found;
}

void ArchiveControl::addNote(const patroni::ClusterKey &key, const std::string &transition, const QString &words)
{
    archive::NoteRecord note;
    note.cluster = m_collector.identify(key, m_monitor->store().find(key));
    note.id = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    note.transition = transition;
    note.at = m_monitor->now().wall;
    note.author = osUser().toStdString();
    note.text = words.toStdString();
    m_memory[key].notes.push_back(note);
    m_archive.add({note});
    Q_EMIT remembered(key);
}

// ---- the search ------------------------------------------------------------------------------------------------------------------

void ArchiveControl::openSearch()
{
    if (!m_dialog) {
        m_dialog = new views::ArchiveDialog(m_window);
        connect(m_dialog, &views::ArchiveDialog::searched, this, [this](const QString &words) { search(words, false); });
        connect(m_dialog, &views::ArchiveDialog::moreWanted, this, [this] { search(m_words, true); });
        connect(m_dialog, &views::ArchiveDialog::transitionChosen, this, &ArchiveControl::showNotes);
        connect(m_dialog, &views::ArchiveDialog::opened, m_window, &views::MainWindow::clusterOpened);
        connect(m_dialog, &views::ArchiveDialog::noteWritten, this, [this](const views::ArchiveHit &hit, const QString &words) {
            addNote(hit.cluster, hit.id.toStdString(), words);
            showNotes(hit);
        });
        showState();
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    m_dialog->focusSearch();
}

void ArchiveControl::search(const QString &words, bool more)
{
    m_words = words;
    archive::Query query;
    query.most = hitsAtOnce;
    if (more)
        query.after = m_next;
    m_reads.ask<archive::Page<archive::Hit>>([words, query](ArchiveReader &reader) { return reader.search(words, query); }, m_dialog,
                                             [this, words, more](const auto &page) {
                                                 if (words != m_words)
                                                     return; // others are looked for by now
                                                 if (!page)
                                                     return m_dialog->setProblem(text(describe(page.error())));
                                                 std::vector<views::ArchiveHit> hits;
                                                 for (const archive::Hit &hit : page->rows)
                                                     hits.push_back(hitOf(hit));
                                                 m_next = page->next;
                                                 if (more)
                                                     m_dialog->addHits(hits, m_next.has_value());
                                                 else
                                                     m_dialog->setHits(words, hits, m_next.has_value());
                                             });
}

void ArchiveControl::showNotes(const views::ArchiveHit &hit)
{
    const archive::ClusterId id = m_collector.identify(hit.cluster, m_monitor->store().find(hit.cluster));
    const std::string transition = hit.id.toStdString();
    m_reads.ask<std::vector<archive::NoteRecord>>(
        [transition](ArchiveReader &reader) {
            archive::Query query;
            query.object = transition;
            return all<archive::NoteRecord>(reader, &ArchiveReader::notes, query);
        },
        m_dialog,
        [this, hit, transition](const auto &kept) {
            std::vector<archive::NoteRecord> notes = kept ? *kept : std::vector<archive::NoteRecord>();
            for (const archive::NoteRecord &mine : this->notes(hit.cluster, transition)) { // on its way into the archive
                const bool known = std::any_of(notes.begin(), notes.end(), [&](const auto &note) { return note.id == mine.id; });
                if (!known)
                    notes.push_back(mine);
            }
            QStringList lines;
            for (const archive::NoteRecord &note : notes)
                lines << noteLine(note);
            m_dialog->setNotes(hit.id, lines);
        });
}

// ---- another archive -----------------------------------------------------------------------------------------------------------

void ArchiveControl::offerImport()
{
    auto *action = m_window->findChild<QAction *>(u"importArchive"_s);
    action->setVisible(true);
    connect(action, &QAction::triggered, this, &ArchiveControl::askImport);
}

void ArchiveControl::askImport()
{
    auto *dialog = new QFileDialog(m_window, tr("Import archive"), {}, tr("Archives (*.sqlite);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ArchiveControl::import);
    dialog->open();
}

void ArchiveControl::import(const QString &location)
{
    const QString file = QFileInfo(location).canonicalFilePath();
    if (!file.isEmpty() && file == QFileInfo(m_archive.options().location).canonicalFilePath()) {
        m_window->showMessage(tr("Not imported"), tr("This is the archive itself. Choose another one."), location);
        return;
    }
    m_window->statusBar()->showMessage(tr("Importing %1 ...").arg(location));
    m_archive.import(location, this, [this, location](const Result<std::int64_t> &rows) {
        m_window->statusBar()->clearMessage();
        if (!rows)
            return void(m_window->showMessage(tr("Not imported"), text(rows.error().message), text(describe(rows.error()))));
        m_window->showMessage(tr("Imported"), tr("%n row(s) were read; what was there already is kept once.", nullptr, int(*rows)),
                              location);
        readOlder();
        if (const auto open = m_window->openedCluster())
            opened(*open);
    });
}

} // namespace switchyard::desktop
