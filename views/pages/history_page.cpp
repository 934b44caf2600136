// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/history_page.h"

#include "views/pages/cluster/parts.h"
#include "views/pages/history/history_pictures.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/widgets/context_frame.h"
#include "views/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;

namespace {

QString staleSentence(const Cluster &cluster, Now now)
{
    const QString word = words(cluster.view.freshness), age = staleText(cluster.view, now), head = word.left(1).toUpper() + word.mid(1);
    return cluster.view.reason.empty() ? HistoryPage::tr("%1, %2.", "stale, as of").arg(head, age)
                                       : HistoryPage::tr("%1, %2. %3", "stale, as of; why").arg(head, age, text(cluster.view.reason));
}

} // namespace

struct HistoryPage::Impl
{
    std::optional<Cluster> cluster;
    Now now;
    bool gone = false;

    ElidedLabel *path = nullptr;
    ContextFrame *frame = nullptr;
    StateLabel *headline = nullptr;
    Banner *stale = nullptr;
    QPushButton *exportButton = nullptr;
    QWidget *body = nullptr;
    HistoryPictures *pictures = nullptr;

    QHBoxLayout *buildTop(HistoryPage *page);
    void buildBody(HistoryPage *page);
    void build(HistoryPage *page);
    void showTop();
};

namespace {

QString historySentence(const Cluster &cluster, Now now)
{
    if (!cluster.config)
        return HistoryPage::tr("The config object is missing: the timeline and its history are unknown.");
    const auto &history = cluster.config->history;
    if (!history.readable)
        return HistoryPage::tr("The history cannot be read: the timeline is unknown.");
    const QString timeline = cluster.timeline ? HistoryPage::tr("Timeline %1").arg(*cluster.timeline) : HistoryPage::tr("Timeline unknown");
    QString leader = HistoryPage::tr("nobody leads");
    if (cluster.leaderName) {
        const auto office = inOffice(cluster, now);
        leader = office ? HistoryPage::tr("%1 leads for %2").arg(text(*cluster.leaderName), secondsText(*office))
                        : HistoryPage::tr("%1 leads").arg(text(*cluster.leaderName));
    } else if (cluster.view.freshness != patroni::Freshness::Live) {
        leader = HistoryPage::tr("who leads now is not known");
    }
    if (history.entries.empty())
        return HistoryPage::tr("%1; %2; no timeline has ended yet.").arg(timeline, leader);
    const auto &last = history.entries.back();
    const QString when = last.endedAt ? timeText(*last.endedAt) : HistoryPage::tr("at a time not recorded");
    if (history.entries.size() == 1)
        return HistoryPage::tr("%1; %2; one timeline has ended, %3.").arg(timeline, leader, when);
    return HistoryPage::tr("%1; %2; %3 timelines have ended, the last %4.").arg(timeline, leader).arg(history.entries.size()).arg(when);
}

} // namespace

QHBoxLayout *HistoryPage::Impl::buildTop(HistoryPage *page)
{
    path = new ElidedLabel(page);
    path->setFont(titleFont(path->font()));
    path->setTextFormat(Qt::PlainText);
    exportButton = new QPushButton(tr("&Export"), page);
    auto *menu = new QMenu(exportButton);
    connect(menu->addAction(tr("&Timeline history\u2026")), &QAction::triggered, page, [page] { Q_EMIT page->exportRequested(false); });
    connect(menu->addAction(tr("T&ransitions\u2026")), &QAction::triggered, page, [page] { Q_EMIT page->exportRequested(true); });
    exportButton->setMenu(menu);
    exportButton->setIcon(icon(u"export"_s, page->palette()));
    auto *top = new QHBoxLayout;
    top->addWidget(path, 1);
    top->addWidget(exportButton);
    return top;
}

void HistoryPage::Impl::buildBody(HistoryPage *page)
{
    body = new QWidget(page);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid);
    headline = new StateLabel(body);
    headline->label()->setFont(strongFont(headline->font()));
    pictures = new HistoryPictures(body);
    connect(pictures, &HistoryPictures::saveRequested, page, &HistoryPage::pictureRequested);
    column->addWidget(headline);
    column->addWidget(pictures, 1);
}

void HistoryPage::Impl::build(HistoryPage *page)
{
    auto *outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget(scroll);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addLayout(buildTop(page));
    stale = new Banner(page);
    column->addWidget(stale);
    buildBody(page);
    column->addWidget(body, 1);
    scroll->setWidget(content);
    outer->addWidget(scroll);
    frame = new ContextFrame(page);
}

void HistoryPage::Impl::showTop()
{
    if (gone) {
        headline->setState(Tone::Unknown, tr("The cluster is gone; what is shown is what was last known."));
        stale->say(Tone::Bad, tr("Its objects were deleted, or they can no longer be seen."));
        return setDimmed(body, true);
    }
    const bool live = cluster->view.freshness == patroni::Freshness::Live;
    headline->setState(toneOf(cluster->health.health), historySentence(*cluster, now));
    stale->say(Tone::Unknown, live ? QString() : staleSentence(*cluster, now));
    setDimmed(body, !live);
}

HistoryPage::HistoryPage(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Impl>())
{
    d->build(this);
    clear();
}

HistoryPage::~HistoryPage() = default;

void HistoryPage::setCluster(const Cluster &cluster, Now now)
{
    d->cluster = cluster;
    d->now = now;
    const auto &key = cluster.names.key;
    d->path->setText(tr("%1 / %2 / %3 / history").arg(text(key.context), text(key.ns), text(key.group ? key.base : key.scope)));
    d->gone = false;
    d->exportButton->setEnabled(true);
    d->body->show();
    d->showTop();
    d->pictures->show(cluster, now);
}

void HistoryPage::setSources(items::EventsModel *events, const Trails *trails)
{
    d->pictures->setSources(events, trails);
}

void HistoryPage::setPast(const patroni::ClusterKey &key, std::vector<Event> events, std::optional<Instant> lookedSince,
                          std::vector<patroni::HistoryEntry> timelines)
{
    d->pictures->setPast(key, std::move(events), lookedSince, std::move(timelines));
}

std::vector<patroni::HistoryEntry> HistoryPage::lostTimelines() const
{
    return d->pictures->lostTimelines();
}

void HistoryPage::setPastRenewals(const patroni::ClusterKey &key, QList<RenewMinute> minutes)
{
    d->pictures->setPastRenewals(key, std::move(minutes));
}

bool HistoryPage::showPicture(const QString &code)
{
    return d->pictures->choose(code);
}

void HistoryPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    d->pictures->refresh();
}

void HistoryPage::setGone()
{
    if (!d->cluster)
        return;
    d->gone = true;
    d->showTop();
}

void HistoryPage::clear()
{
    d->cluster.reset();
    d->gone = false;
    d->path->setText(tr("No cluster is open. Choose one in the fleet."));
    d->exportButton->setEnabled(false);
    d->stale->say(Tone::Neutral, {});
    d->body->hide();
    d->pictures->clear();
}

void HistoryPage::setContextMark(const QString &colour)
{
    d->frame->setMark(colour);
    const int width = d->frame->colour().isValid() ? ContextFrame::width : 0;
    layout()->setContentsMargins(width, width, width, width);
}

void HistoryPage::tick(Now now)
{
    if (!d->cluster || d->gone) // nothing counts on
        return;
    d->now = now;
    d->showTop();
    d->pictures->tick(now);
}

void HistoryPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !d)
        return;
    refreshDimmed(d->body);
    d->exportButton->setIcon(icon(u"export"_s, palette()));
}

} // namespace switchyard::views
