// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/archive_dialog.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

QString kindWord(const QString &kind)
{
    if (kind == u"event"_s)
        return ArchiveDialog::tr("event");
    if (kind == u"transition"_s)
        return ArchiveDialog::tr("transition");
    if (kind == u"request"_s)
        return ArchiveDialog::tr("request");
    if (kind == u"config"_s)
        return ArchiveDialog::tr("configuration");
    if (kind == u"audit"_s)
        return ArchiveDialog::tr("write");
    if (kind == u"note"_s)
        return ArchiveDialog::tr("note");
    if (kind == u"timeline"_s)
        return ArchiveDialog::tr("timeline");
    return kind;
}

QList<QStandardItem *> rowOf(const ArchiveHit &hit)
{
    const QString place = hit.cluster.scope.empty() ? text(hit.cluster.context) : text(hit.cluster.context + ' ' + hit.cluster.text());
    QList<QStandardItem *> row;
    for (const QString &cell :
         {hit.at == Instant{} ? ArchiveDialog::tr("not known") : timeText(hit.at), kindWord(hit.kind), place, hit.text}) {
        auto *item = new QStandardItem(cell);
        item->setEditable(false);
        item->setToolTip(cell);
        row << item;
    }
    return row;
}

} // namespace

ArchiveDialog::ArchiveDialog(QWidget *parent)
    : QDialog(parent)
    , m_words(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_model(new QStandardItemModel(0, 4, this))
    , m_count(captionLabel(QString(), this))
    , m_more(new QPushButton(tr("Show &more"), this))
    , m_notesTitle(captionLabel(QString(), this))
    , m_notes(new QPlainTextEdit(this))
    , m_note(new QLineEdit(this))
    , m_add(new QPushButton(tr("&Add note"), this))
    , m_state(captionLabel(QString(), this))
{
    setWindowTitle(tr("Archive"));
    m_words->setPlaceholderText(tr("Words of what happened: a member, a cluster, lock-expired, OOMKilled, a note"));
    m_words->setAccessibleName(tr("Search the archive"));
    m_words->setClearButtonEnabled(true);
    m_model->setHorizontalHeaderLabels({tr("When"), tr("What"), tr("Cluster"), tr("Kept of it")});
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("What was found"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    styleTable(m_table);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_notes->setReadOnly(true);
    m_notes->setMaximumHeight(6 * fontMetrics().lineSpacing());
    m_notes->setAccessibleName(tr("Notes on the transition"));
    m_note->setPlaceholderText(tr("Why it happened, what was done"));
    m_note->setAccessibleName(tr("A new note"));
    m_note->setMaxLength(4000);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_state->setWordWrap(true);
    m_add->setAutoDefault(false);
    m_more->setAutoDefault(false);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(grid);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    auto *below = new QHBoxLayout;
    below->addWidget(m_count, 1);
    below->addWidget(m_more);
    layout->addLayout(below);
    layout->addWidget(m_notesTitle);
    layout->addWidget(m_notes);
    auto *line = new QHBoxLayout;
    line->addWidget(m_note, 1);
    line->addWidget(m_add);
    layout->addLayout(line);
    layout->addWidget(m_state);
    resize(900, 560);

    m_later.setSingleShot(true);
    m_later.setInterval(200ms);
    connect(m_words, &QLineEdit::textChanged, &m_later, qOverload<>(&QTimer::start));
    connect(m_words, &QLineEdit::returnPressed, &m_later, qOverload<>(&QTimer::start));
    connect(&m_later, &QTimer::timeout, this, [this] { Q_EMIT searched(m_words->text().trimmed()); });
    connect(m_more, &QPushButton::clicked, this, &ArchiveDialog::moreWanted);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ArchiveDialog::chosen);
    connect(m_table, &QAbstractItemView::activated, this, [this] {
        if (const ArchiveHit *hit = current(); hit && !hit->cluster.scope.empty())
            Q_EMIT opened(hit->cluster);
    });
    const auto add = [this] {
        const ArchiveHit *hit = current();
        if (!hit || m_note->text().trimmed().isEmpty() || !m_add->isEnabled())
            return;
        Q_EMIT noteWritten(*hit, m_note->text().trimmed());
        m_note->clear();
    };
    connect(m_add, &QPushButton::clicked, this, add);
    connect(m_note, &QLineEdit::returnPressed, this, add);
    setHits({}, {}, false);
}

void ArchiveDialog::setState(const QString &state)
{
    m_state->setText(state);
}

void ArchiveDialog::setHits(const QString &words, const std::vector<ArchiveHit> &hits, bool more)
{
    m_hits.clear();
    m_model->removeRows(0, m_model->rowCount());
    addHits(hits, more);
    if (words.isEmpty())
        m_count->setText(tr("Type words to look for. All of them have to be there, each as the beginning of a word."));
    else if (hits.empty())
        m_count->setText(tr("Nothing in the archive has all these words."));
    m_table->resizeColumnsToContents();
    chosen();
}

void ArchiveDialog::addHits(const std::vector<ArchiveHit> &hits, bool more)
{
    for (const ArchiveHit &hit : hits) {
        m_hits.push_back(hit);
        m_model->appendRow(rowOf(hit));
    }
    m_more->setVisible(more);
    m_count->setText(more ? tr("The newest %1 are shown.").arg(m_hits.size()) : tr("%1 found.").arg(m_hits.size()));
}

void ArchiveDialog::setProblem(const QString &problem)
{
    setHits({}, {}, false);
    m_count->setText(problem);
}

void ArchiveDialog::setNotes(const QString &transition, const QStringList &notes)
{
    const ArchiveHit *hit = current();
    if (hit && hit->id == transition)
        m_notes->setPlainText(notes.join(u'\n'));
}

void ArchiveDialog::focusSearch()
{
    m_words->setFocus();
    m_words->selectAll();
}

const ArchiveHit *ArchiveDialog::current() const
{
    const int row = m_table->currentIndex().row();
    return row >= 0 && static_cast<std::size_t>(row) < m_hits.size() ? &m_hits[static_cast<std::size_t>(row)] : nullptr;
}

void ArchiveDialog::chosen()
{
    const ArchiveHit *hit = current();
    const bool transition = hit && (hit->kind == u"transition"_s || hit->ofHolder);
    m_notesTitle->setText(!transition ? tr("Choose a transition, or a change of an election's holder, to read and write notes on it.")
                              : hit->ofHolder ? tr("Notes on this change of the holder")
                                              : tr("Notes on this transition"));
    for (QWidget *widget : {static_cast<QWidget *>(m_notes), static_cast<QWidget *>(m_note), static_cast<QWidget *>(m_add)})
        widget->setEnabled(transition);
    m_notes->clear();
    if (transition)
        Q_EMIT transitionChosen(*hit);
}

} // namespace switchyard::views
