// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/elections/election_detail.h"

#include "models/items/elections_model.h"
#include "views/charts/picture_panel.h"
#include "views/charts/renew_chart.h"
#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"
#include "views/widgets/value_labels.h"
#include "views/words.h"
#include "views/words_elections.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using election::Election;
using election::Family;

namespace {

const QString dash = u"\u2013"_s;

QString timeOr(const std::optional<Instant> &t, const QString &missing)
{
    return t ? timeText(*t) : missing;
}

// What the holder, or an administrator, asks for beside the lock itself.
QString wishText(const Election &e)
{
    QStringList all;
    for (const election::Record &record : e.records) {
        if (record.strategy)
            all << ElectionDetail::tr("strategy %1").arg(text(*record.strategy));
        if (record.preferredHolder)
            all << ElectionDetail::tr("preferred holder %1").arg(text(*record.preferredHolder));
    }
    return all.isEmpty() ? dash : all.join(u", "_s);
}

QString nodeText(const Election &e)
{
    return e.pod && e.pod->nodeName ? text(*e.pod->nodeName) : e.pod ? unknownText() : dash;
}

QString podFact(const Election &e)
{
    QString pod = podText(e);
    if (pod.isEmpty())
        return dash;
    if (!e.pod && !e.podsReadable)
        return ElectionDetail::tr("unknown: Pods are not read here");
    return pod;
}

// Lines over everything else: records that disagree, and what is wrong with them.
QString warningText(const Election &e)
{
    constexpr int most = 3;
    QStringList lines;
    if (const QString disagreement = disagreementText(e); !disagreement.isEmpty())
        lines << disagreement;
    int told = 0;
    for (const patroni::Defect &defect : e.defects)
        if (++told <= most)
            lines << defectText(defect);
    if (told > most)
        lines << ElectionDetail::tr("and %n more", nullptr, told - most);
    return lines.join(u'\n');
}

} // namespace

ElectionDetail::ElectionDetail(QWidget *parent)
    : QWidget(parent)
    , m_name(new ElidedLabel(this))
    , m_state(new StateLabel(this))
    , m_sentence(copyable(new QLabel(this)))
    , m_explained(copyable(new CaptionLabel({}, this)))
    , m_warning(new Banner(this))
    , m_tabs(new QTabWidget(this))
    , m_chart(new RenewChart(this))
    , m_panel(new PicturePanel(m_chart, tr("Renewals of the election"), tr("triangle: late \u00b7 hollow: still waited for"), this))
    , m_renewTable(new FactsTable(tr("Renewals of the election"), renewColumns(), noIntervalText(), this))
    , m_holders(new FactsTable(tr("Holders of the election"), holderColumns(), tr("No holder has been seen yet."), this))
    , m_raw(new QPlainTextEdit(this))
{
    m_chart->setAccessibleName(tr("Seconds between renewals of the election"));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, grid, 0, grid);
    line->setSpacing(2 * grid);
    line->addWidget(buildWords(), 4);
    line->addWidget(m_tabs, 6);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("More about the election"));
    m_tabs->addTab(m_panel, tr("&Renewals"));
    m_tabs->addTab(m_holders, tr("Ho&lders"));
    m_tabs->addTab(buildRecord(), tr("Raw recor&d"));
    m_tabs->addTab(m_renewTable, tr("Renewals as a &table"));
    connect(m_panel, &PicturePanel::saveRequested, this, &ElectionDetail::pictureRequested);
    connect(m_chart, &TimeCanvas::rangeChanged, this, &ElectionDetail::showRenewals);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ElectionDetail::showRenewals);
    clear();
}

QWidget *ElectionDetail::buildWords()
{
    auto *inner = new QWidget(this);
    auto *layout = new QVBoxLayout(inner);
    layout->setContentsMargins(0, 0, grid, 0);
    layout->setSpacing(grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * grid);
    m_name->setFont(strongFont(font()));
    m_name->setTextFormat(Qt::PlainText);
    head->addWidget(m_name);
    head->addWidget(m_state);
    head->addStretch(1);
    layout->addLayout(head);
    m_sentence->setWordWrap(true);
    m_sentence->setAccessibleName(tr("Who leads"));
    m_explained->setWordWrap(true);
    layout->addWidget(m_sentence);
    layout->addWidget(m_warning);
    layout->addWidget(m_explained);
    auto *facts = new FactGrid(1, inner);
    m_pod = copyable(facts->add(tr("Pod")));
    m_node = copyable(facts->add(tr("node")));
    m_acquired = copyable(facts->add(tr("acquired, holder's clock")));
    m_renewed = copyable(facts->add(tr("renewed, holder's clock")));
    m_rhythm = copyable(facts->add(tr("usual rhythm, seen")));
    m_since = copyable(facts->add(tr("looked at for")));
    m_created = copyable(facts->add(tr("object created")));
    m_wishes = copyable(facts->add(tr("coordination")));
    layout->addWidget(facts);
    layout->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(inner);
    return scroll;
}

QWidget *ElectionDetail::buildRecord()
{
    auto *tab = new QWidget(this);
    auto *column = new QVBoxLayout(tab);
    column->setContentsMargins(0, grid, 0, 0);
    column->setSpacing(grid);
    m_raw->setReadOnly(true);
    m_raw->setTabChangesFocus(true);
    m_raw->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_raw->setFont(monospaceFont(font()));
    m_raw->setAccessibleName(tr("Record as it stands"));
    auto *copy = new QPushButton(tr("&Copy record"), tab);
    copy->setObjectName(u"copyRecord"_s);
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_raw->toPlainText()); });
    column->addWidget(m_raw, 1);
    column->addWidget(copy, 0, Qt::AlignRight);
    return tab;
}

void ElectionDetail::show(const Election &e, Now now)
{
    const bool another = !m_shown || m_shown->key != e.key;
    m_shown = e;
    m_now = now;
    if (another) {
        m_past = {};
        m_panel->startAnew();
    }
    m_panel->setSubject(u"%1 / %2 / %3"_s.arg(text(e.key.context), text(e.key.ns), text(e.key.name)));
    const bool renews = e.key.family != Family::LeaderForLife;
    m_tabs->setTabVisible(0, renews);
    m_tabs->setTabVisible(3, renews);
    showRaw();
    showHolders();
    tick(now);
}

void ElectionDetail::setPast(const election::Key &key, ElectionPast past)
{
    if (!m_shown || m_shown->key != key)
        return;
    m_past = std::move(past);
    showHolders();
    showRenewals();
}

void ElectionDetail::clear()
{
    m_shown.reset();
    m_past = {};
    put(m_name, tr("Choose an election to see all about it."));
    for (QWidget *widget : {static_cast<QWidget *>(m_state), static_cast<QWidget *>(m_sentence), static_cast<QWidget *>(m_explained)})
        widget->setVisible(false);
    m_warning->say(Tone::Warning, {});
    m_pod->parentWidget()->setVisible(false);
    m_tabs->setVisible(false);
}

void ElectionDetail::tick(Now now)
{
    if (!m_shown)
        return;
    m_now = now;
    showFacts();
    showRenewals();
}

void ElectionDetail::showFacts()
{
    const Election &e = *m_shown;
    const bool forLife = e.key.family == Family::LeaderForLife;
    put(m_name, text(e.key.ns) + u" / "_s + text(e.key.name));
    m_state->setState(toneOf(e), words(e.state));
    put(m_sentence, electionHeadline(e, m_now));
    put(m_explained, explained(e));
    const QString warning = warningText(e);
    m_warning->say(e.state == election::State::Invalid ? Tone::Bad : Tone::Warning, warning);
    put(m_pod, podFact(e));
    put(m_node, nodeText(e));
    const QString missing = forLife ? dash : tr("not recorded");
    put(m_acquired, forLife ? tr("with the object") : timeOr(e.acquiredAt, missing)); // no holder's clock is in it
    put(m_renewed, timeOr(e.renewedAt, missing));
    put(m_rhythm, e.rhythm ? durationText(*e.rhythm) : forLife ? dash : unknownText());
    put(m_since, e.watchedSince ? secondsText(std::max(Duration::zero(), m_now.boot - *e.watchedSince)) : unknownText());
    put(m_created, timeOr(e.createdAt, unknownText()));
    put(m_wishes, wishText(e));
    for (QWidget *widget : {static_cast<QWidget *>(m_state), static_cast<QWidget *>(m_sentence), static_cast<QWidget *>(m_explained),
                            m_pod->parentWidget(), static_cast<QWidget *>(m_tabs)})
        widget->setVisible(true);
    setDimmed(this, e.state == election::State::Stale);
}

void ElectionDetail::showHolders()
{
    m_holders->set(holderRows(*m_shown, m_past));
}

void ElectionDetail::showRenewals()
{
    if (!m_shown || m_shown->key.family == Family::LeaderForLife)
        return;
    const RenewData values = electionRenewals(*m_shown, m_now, m_past);
    if (sender() != m_chart)
        m_chart->show(values);
    m_panel->setSummary(renewSummary(m_chart->stats(), m_chart->minuteStats(), values.lease));
    if (m_renewTable->isVisible())
        m_renewTable->set(m_renewRows.of(m_chart->data(), m_chart->shown()));
}

void ElectionDetail::showRaw()
{
    const QString raw = text(m_shown->raw);
    const QString missing = m_shown->key.family == Family::Patroni
        ? tr("Patroni's own objects are on the page of its cluster, under Objects. Enter in the table opens it.")
        : tr("Nothing is recorded.");
    const QString shown = raw.isEmpty() ? missing : raw;
    if (m_raw->toPlainText() != shown)
        m_raw->setPlainText(shown);
}

QString ElectionDetail::sentence() const
{
    return m_sentence->text();
}

QString ElectionDetail::warning() const
{
    return m_warning->text();
}

QString ElectionDetail::raw() const
{
    return m_raw->toPlainText();
}

} // namespace switchyard::views
