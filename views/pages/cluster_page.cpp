// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster_page.h"

#include "views/pages/cluster/cluster_body.h"
#include "views/pages/cluster/parts.h"
#include "views/requests.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;
using patroni::Freshness;

struct ClusterPage::Impl
{
    std::optional<Cluster> cluster;
    std::optional<patroni::ClusterKey> gone;
    Now now;
    bool readOnly = false, replay = false;
    QString missingRight;

    ElidedLabel *path = nullptr;
    QLabel *why = nullptr;
    QPushButton *switchover = nullptr, *cancel = nullptr, *history = nullptr;
    Banner *staleBanner = nullptr;
    ClusterBody *body = nullptr;

    void build(ClusterPage *page);
    QHBoxLayout *buildTop(ClusterPage *page);
    void paintIcons(const QPalette &palette);
    void refresh();
    void showBanner();
    void showActions();
    QString noWriting() const;
    QString noSwitchover() const;
    QString noCancel() const;
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

void allow(QPushButton *button, const QString &whyNot, const QString &whatItDoes)
{
    button->setEnabled(whyNot.isEmpty());
    button->setToolTip(whyNot.isEmpty() ? whatItDoes : whyNot);
    button->setAccessibleDescription(button->toolTip());
}

} // namespace

QHBoxLayout *ClusterPage::Impl::buildTop(ClusterPage *page)
{
    path = new ElidedLabel(page);
    path->setFont(titleFont(path->font()));
    path->setTextFormat(Qt::PlainText);
    why = new CaptionLabel({}, page);
    history = new QPushButton(tr("&History"), page); // first, so that the focus does not begin on an action
    switchover = new QPushButton(tr("&Switchover\u2026"), page);
    cancel = new QPushButton(tr("Cancel &request\u2026"), page);
    connect(switchover, &QPushButton::clicked, page, &ClusterPage::switchoverRequested);
    connect(cancel, &QPushButton::clicked, page, &ClusterPage::cancelRequested);
    connect(history, &QPushButton::clicked, page, &ClusterPage::historyRequested);
    history->setToolTip(tr("Who led when, the timelines, and the renewals of the lock."));
    auto *top = new QHBoxLayout;
    top->setSpacing(grid);
    top->addWidget(path, 1);
    for (auto *button : {history, switchover, cancel})
        top->addWidget(button);
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
    staleBanner = new Banner(page);
    column->addWidget(staleBanner);
    body = new ClusterBody(page);
    column->addWidget(body, 1);
    scroll->setWidget(content);
    paintIcons(page->palette());
}

void ClusterPage::Impl::paintIcons(const QPalette &palette)
{
    switchover->setIcon(icon(u"switchover"_s, palette));
    cancel->setIcon(icon(u"cancel"_s, palette));
    history->setIcon(icon(u"history"_s, palette));
}

QString ClusterPage::Impl::noWriting() const
{
    if (gone)
        return tr("The cluster is gone.");
    if (!cluster)
        return tr("No cluster is open.");
    if (replay)
        return tr("A recording is shown: there is nothing to write to.");
    if (readOnly)
        return tr("Read-only: the program was started with --read-only.");
    switch (cluster->view.freshness) {
    case Freshness::Stale: return tr("Blocked while the view is stale: no answer from the API server.");
    case Freshness::Forbidden: return tr("Blocked: not allowed to read this cluster's objects.");
    case Freshness::Connecting: return tr("Blocked until the cluster is read.");
    case Freshness::Live: break;
    }
    return missingRight;
}

QString ClusterPage::Impl::noSwitchover() const
{
    if (QString no = noWriting(); !no.isEmpty())
        return no;
    return cluster->leaderName ? QString() : tr("No switchover: nobody leads.");
}

QString ClusterPage::Impl::noCancel() const
{
    if (QString no = noWriting(); !no.isEmpty())
        return no;
    return hasRequest(*cluster) ? QString() : tr("Nothing is pending.");
}

void ClusterPage::Impl::showActions()
{
    allow(switchover, noSwitchover(), tr("Choose another leader, now or at a time. Nothing is written before you confirm it."));
    allow(cancel, noCancel(), tr("Clear the pending request. Nothing is written before you confirm it."));
    history->setEnabled(cluster.has_value());
    why->setText(noSwitchover()); // "nothing is pending" needs no words here: the request card says it
    why->setVisible(!why->text().isEmpty());
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
    d->readOnly = readOnly;
    d->refresh();
}

void ClusterPage::setReplay(bool replay)
{
    d->replay = replay;
    d->refresh();
}

void ClusterPage::setSkew(const std::optional<ClockSkew> &skew)
{
    d->body->setSkew(skew);
}

void ClusterPage::setMissingRight(const QString &why)
{
    if (d->missingRight == why)
        return;
    d->missingRight = why;
    d->refresh();
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
        d->paintIcons(palette());
    }
}

} // namespace switchyard::views
