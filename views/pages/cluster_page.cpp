// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster_page.h"

#include "views/pages/cluster/action_buttons.h"
#include "views/pages/cluster/cluster_body.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/cluster/request_card.h"
#include "views/pages/cluster/rescue_banner.h"
#include "views/requests.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/widgets/badge.h"
#include "views/widgets/context_frame.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;
using patroni::Freshness;
using rules::ActionKind;

struct ClusterPage::Impl
{
    std::optional<Cluster> cluster;
    std::optional<patroni::ClusterKey> gone;
    Now now;
    ActionGate gate;
    bool isProtected = false;
    QString colour; // the user's mark of the context
    ContextFrame *frame = nullptr;
    std::map<ActionKind, QString> missingRights;

    ElidedLabel *path = nullptr;
    Badge *guard = nullptr;
    QLabel *why = nullptr;
    ActionButtons *actions = nullptr;
    QPushButton *history = nullptr;
    RescueBanner *rescue = nullptr;
    Banner *staleBanner = nullptr;
    ClusterBody *body = nullptr;

    void build(ClusterPage *page);
    QHBoxLayout *buildTop(ClusterPage *page);
    void refresh();
    void showBanner();
    void showActions();
    void showGuard();
    QString whyNot(ActionKind kind) const;
};

namespace {

QString pathText(const patroni::ClusterKey &key)
{
    QString path = u"%1 / %2 / %3"_s.arg(text(key.context), text(key.ns), text(key.scope));
    if (key.group)
        path += ClusterPage::tr(" / group %1", "Citus group").arg(*key.group);
    return path;
}

QString capital(const QString &text)
{
    return text.left(1).toUpper() + text.mid(1);
}

QString nextStep(Freshness freshness)
{
    return freshness == Freshness::Forbidden
        ? ClusterPage::tr("Ask for the missing right, or start with a context whose account has it; F5 reads everything anew.")
        : ClusterPage::tr("It is tried again by itself; F5 tries at once.");
}

} // namespace

QHBoxLayout *ClusterPage::Impl::buildTop(ClusterPage *page)
{
    path = new ElidedLabel(page);
    path->setFont(titleFont(path->font()));
    path->setTextFormat(Qt::PlainText);
    guard = new Badge(Tone::Neutral, page);
    why = new CaptionLabel({}, page);
    history = new QPushButton(tr("&History"), page); // first, so that the focus does not begin on an action
    history->setIcon(icon(u"history"_s, page->palette()));
    history->setToolTip(tr("Who led when, the timelines, and the renewals of the lock."));
    connect(history, &QPushButton::clicked, page, &ClusterPage::historyRequested);
    actions = new ActionButtons(page);
    connect(actions, &ActionButtons::requested, page, [page](ActionKind kind) { Q_EMIT page->actionRequested(kind, {}); });
    auto *top = new QHBoxLayout;
    top->setSpacing(grid);
    top->addWidget(path, 1);
    top->addWidget(guard, 0, Qt::AlignVCenter);
    top->addWidget(history);
    top->addWidget(actions);
    return top;
}

void ClusterPage::Impl::build(ClusterPage *page)
{
    auto *outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // what it holds takes the focus
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    outer->addWidget(scroll);
    auto *content = new QWidget(scroll);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addLayout(buildTop(page));
    column->addWidget(why, 0, Qt::AlignRight);
    rescue = new RescueBanner(page);
    connect(rescue, &RescueBanner::actionRequested, page, [page](ActionKind kind) { Q_EMIT page->actionRequested(kind, {}); });
    column->addWidget(rescue);
    staleBanner = new Banner(page);
    column->addWidget(staleBanner);
    body = new ClusterBody(page);
    body->members()->setWhyNot([this](ActionKind kind) { return whyNot(kind); });
    connect(body->members(), &MembersView::actionRequested, page, &ClusterPage::actionRequested);
    column->addWidget(body, 1);
    scroll->setWidget(content);
    frame = new ContextFrame(page);
}

QString ClusterPage::Impl::whyNot(ActionKind kind) const
{
    if (gone)
        return tr("The cluster is gone.");
    if (!cluster)
        return tr("No cluster is open.");
    const auto missing = missingRights.find(kind);
    return views::whyNot(&*cluster, kind, gate, missing == missingRights.end() ? QString() : missing->second);
}

void ClusterPage::Impl::showActions()
{
    const bool paused = cluster && cluster->config && cluster->config->config.paused;
    actions->refresh([this](ActionKind kind) { return whyNot(kind); }, paused, cluster && hasRequest(*cluster),
                     cluster && cluster->standby());
    history->setEnabled(cluster.has_value());
    const QString switchover = whyNot(ActionKind::Switchover);
    why->setText(switchover);
    why->setVisible(!switchover.isEmpty());
    rescue->show(cluster && !gone ? &*cluster : nullptr, now, [this](ActionKind kind) { return whyNot(kind); });
}

void ClusterPage::Impl::showGuard()
{
    if (gate.contextReadOnly)
        guard->show(tr("read-only"), tr("You made this context read-only on the page Contexts: nothing is written to its clusters."));
    else
        guard->show(isProtected ? tr("protected") : QString(),
                    tr("You protected this context on the page Contexts: the cluster's name is typed before each write."));
}

void ClusterPage::Impl::showBanner()
{
    if (gone) {
        staleBanner->say(Tone::Bad,
                         tr("%1 is gone: its objects were deleted, or they can no longer be seen. What is shown is what was last known.")
                             .arg(text(gone->text())));
    } else if (cluster && cluster->view.freshness != Freshness::Live) {
        const QString reason = cluster->view.reason.empty() ? words(cluster->view.freshness) : text(cluster->view.reason);
        const QString age = staleText(cluster->view, now);
        staleBanner->say(cluster->view.freshness == Freshness::Forbidden ? Tone::Bad : Tone::Unknown,
                         tr("%1, %2. %3. %4").arg(capital(words(cluster->view.freshness)), age, reason, nextStep(cluster->view.freshness)));
    } else {
        staleBanner->say(Tone::Neutral, {});
    }
}

void ClusterPage::Impl::refresh()
{
    showBanner();
    showActions();
    showGuard();
    setDimmed(body, gone || (cluster && cluster->view.freshness != Freshness::Live));
}

ClusterPage::ClusterPage(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Impl>())
{
    d->build(this);
    clear();
}

ClusterPage::~ClusterPage() = default;

void ClusterPage::setCluster(const Cluster &cluster, Now now)
{
    d->cluster = cluster;
    d->gone.reset();
    d->now = now;
    d->path->setText(pathText(cluster.names.key));
    d->refresh();
    d->body->setVisible(true);
    d->body->show(cluster, now);
}

void ClusterPage::setGone(const patroni::ClusterKey &key, Now now)
{
    d->gone = key;
    d->now = now;
    d->path->setText(pathText(key));
    d->refresh();
}

void ClusterPage::clear()
{
    d->cluster.reset();
    d->gone.reset();
    d->path->setText(tr("No cluster is open. Choose one in the fleet."));
    d->body->setVisible(false);
    d->refresh();
}

void ClusterPage::setReadOnly(bool readOnly)
{
    d->gate.readOnly = readOnly;
    d->refresh();
}

void ClusterPage::setReplay(bool replay)
{
    d->gate.replay = replay;
    d->refresh();
}

void ClusterPage::setSkew(const std::optional<ClockSkew> &skew)
{
    d->body->setSkew(skew);
}

void ClusterPage::setMissingRight(const QString &why)
{
    auto all = d->missingRights;
    for (const ActionKind kind : {ActionKind::Switchover, ActionKind::Failover, ActionKind::CancelRequest, ActionKind::Repair})
        all[kind] = why;
    setMissingRights(all);
}

void ClusterPage::setMissingRights(const std::map<ActionKind, QString> &why)
{
    if (d->missingRights == why)
        return;
    d->missingRights = why;
    d->refresh();
}

void ClusterPage::setContextMarks(const QString &colour, bool readOnly, bool isProtected)
{
    if (d->colour == colour && d->gate.contextReadOnly == readOnly && d->isProtected == isProtected)
        return;
    d->colour = colour;
    d->gate.contextReadOnly = readOnly;
    d->isProtected = isProtected;
    d->frame->setMark(colour);
    const int width = d->frame->colour().isValid() ? ContextFrame::width : 0;
    layout()->setContentsMargins(width, width, width, width);
    d->refresh();
}

void ClusterPage::setLogLines(const std::string &request, const std::string &member, const QStringList &lines,
                              std::optional<patroni::Refusal> reason)
{
    d->body->requestCard()->setLogLines(request, member, lines, reason);
    if (d->cluster)
        d->body->requestCard()->show(*d->cluster, d->now);
}

void ClusterPage::tick(Now now)
{
    d->now = now;
    d->showBanner();
    if (d->cluster && !d->gone)
        d->body->tick(*d->cluster, now);
}

void ClusterPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && d) {
        refreshDimmed(d->body);
        d->history->setIcon(icon(u"history"_s, palette()));
    }
}

} // namespace switchyard::views
