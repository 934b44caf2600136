// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/dossier_page.h"

#include "models/store/record_key.h"
#include "views/pages/cluster/parts.h"
#include "views/style/colors.h"
#include "views/style/icons.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QTextBrowser>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;
using patroni::Transition;

struct DossierPage::Impl
{
    void build(DossierPage *page);
    QHBoxLayout *buildTop(DossierPage *page);
    void fill();
    void style();
    void show(const QString &html);
    QString chosen() const { return box->currentData().toString(); }

    DossierPage *q = nullptr;
    std::optional<Cluster> cluster;
    QString wantedName; // empty: the newest, also when there comes a newer one
    QString html;
    ElidedLabel *path = nullptr;
    QComboBox *box = nullptr;
    QPushButton *copy = nullptr, *save = nullptr;
    Banner *note = nullptr;
    QTextBrowser *text = nullptr;
};

namespace {

QString member(const std::optional<std::string> &name)
{
    return name ? text(*name) : DossierPage::tr("not recorded");
}

QString lineOf(const Transition &t)
{
    const auto at = t.gainedAt ? t.gainedAt : t.notAfter ? t.notAfter : t.lostAt;
    const QString when = at ? timeText(*at) : DossierPage::tr("time not recorded");
    return DossierPage::tr("%1   %2 \u2192 %3   (%4)", "time, from, to, kind").arg(when, member(t.from), member(t.to), words(t.kind));
}

} // namespace

QString transitionName(const Cluster &cluster, std::size_t index)
{
    return text(transitionId(cluster, index));
}

std::optional<std::size_t> findTransition(const Cluster &cluster, const QString &name)
{
    if (name.isEmpty() && !cluster.transitions.empty())
        return cluster.transitions.size() - 1;
    for (std::size_t i = 0; i < cluster.transitions.size(); ++i) {
        if (transitionName(cluster, i) == name)
            return i;
    }
    return std::nullopt;
}

QHBoxLayout *DossierPage::Impl::buildTop(DossierPage *page)
{
    path = new ElidedLabel(page);
    path->setFont(titleFont(path->font()));
    path->setTextFormat(Qt::PlainText);
    copy = new QPushButton(tr("&Copy as Markdown"), page);
    save = new QPushButton(tr("&Export"), page);
    auto *menu = new QMenu(save);
    const std::pair<QString, QString> formats[] = {
        {u"md"_s, tr("&Markdown\u2026")}, {u"html"_s, tr("&HTML page\u2026")}, {u"json"_s, tr("&JSON\u2026")}};
    for (const auto &[format, title] : formats) {
        connect(menu->addAction(title), &QAction::triggered, page, [this, page, wanted = format] {
            const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
            const QString name = cluster ? text->property("fileName").toString() : QString();
            const QString file = QFileDialog::getSaveFileName(page, tr("Export into"), QDir(folder).filePath(name + u'.' + wanted));
            if (!file.isEmpty())
                Q_EMIT page->saveRequested(chosen(), wanted, file);
        });
    }
    save->setMenu(menu);
    connect(copy, &QPushButton::clicked, page, [this, page] { Q_EMIT page->copyRequested(chosen()); });
    auto *top = new QHBoxLayout;
    top->setSpacing(grid);
    top->addWidget(path, 1);
    top->addWidget(copy);
    top->addWidget(save);
    return top;
}

void DossierPage::Impl::build(DossierPage *page)
{
    q = page;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    column->setSpacing(grid);
    column->addLayout(buildTop(page));
    box = new QComboBox(page);
    box->setAccessibleName(tr("Transition"));
    box->setToolTip(tr("Every change of leadership that is known, newest first"));
    note = new Banner(page);
    text = new QTextBrowser(page);
    text->setFrameShape(QFrame::NoFrame);
    text->setOpenLinks(false);
    text->setAccessibleName(tr("What is known of the transition"));
    column->addWidget(box);
    column->addWidget(note);
    column->addWidget(text, 1);
    connect(box, &QComboBox::activated, page, [this] {
        wantedName = box->currentIndex() == 0 ? QString() : chosen();
        Q_EMIT q->wanted(chosen());
    });
    style();
}

void DossierPage::Impl::fill()
{
    const QSignalBlocker quiet(box);
    box->clear();
    for (std::size_t i = cluster->transitions.size(); i-- > 0;)
        box->addItem(lineOf(cluster->transitions[i]), transitionName(*cluster, i));
    const int row = wantedName.isEmpty() ? 0 : box->findData(wantedName);
    box->setCurrentIndex(row >= 0 ? row : 0);
    const bool any = box->count() > 0;
    for (QWidget *widget : {static_cast<QWidget *>(box), static_cast<QWidget *>(copy), static_cast<QWidget *>(save)})
        widget->setEnabled(any);
    if (!any)
        show(u"<p>"_s
             + tr("No change of leadership of this cluster is known. As soon as one is seen, it is explained here.").toHtmlEscaped()
             + u"</p>"_s);
}

// The text has tags and classes only: colours are the theme's.
void DossierPage::Impl::style()
{
    const QPalette palette = q->palette();
    const QString line = palette.color(QPalette::Mid).name(), quiet = secondaryText(palette).name(),
                  ground = palette.color(QPalette::AlternateBase).name(), strong = palette.color(QPalette::WindowText).name();
    text->document()->setDefaultStyleSheet(u"h1{font-size:large;margin-bottom:4px}"
                                           "h2{font-size:medium;margin-top:20px;margin-bottom:4px}"
                                           "p{margin-top:4px;margin-bottom:4px}"
                                           "body,td,th,p{color:%4}"
                                           "table{margin-top:6px}"
                                           "th,td{padding:3px 20px 3px 0;border-bottom:1px solid %1;text-align:left}"
                                           "th{font-weight:600;white-space:nowrap}"
                                           "pre{background-color:%3;white-space:pre-wrap}"
                                           ".quiet{color:%2}"_s.arg(line, quiet, ground, strong));
    copy->setIcon(icon(u"copy"_s, palette));
    save->setIcon(icon(u"export"_s, palette));
    if (!html.isEmpty())
        text->setHtml(html);
}

void DossierPage::Impl::show(const QString &shown)
{
    if (shown == html)
        return;
    html = shown;
    const int place = text->verticalScrollBar()->value(); // it grows while it is read
    text->setHtml(html);
    text->verticalScrollBar()->setValue(place);
}

DossierPage::DossierPage(QWidget *parent)
    : QWidget(parent)
    , d(std::make_unique<Impl>())
{
    d->build(this);
    clear();
}

DossierPage::~DossierPage() = default;

void DossierPage::setCluster(const Cluster &cluster, Now now)
{
    const bool same = d->cluster && d->cluster->names.key == cluster.names.key;
    const bool changed = !same || d->cluster->transitions != cluster.transitions || d->cluster->requests != cluster.requests
        || d->cluster->snapshots != cluster.snapshots;
    const auto &key = cluster.names.key;
    d->cluster = cluster;
    d->path->setText(
        tr("%1 / %2 / %3 / change of leadership").arg(text(key.context), text(key.ns), text(key.group ? key.base : key.scope)));
    const bool live = cluster.view.freshness == patroni::Freshness::Live;
    d->note->say(Tone::Unknown, live ? QString() : staleText(cluster.view, now));
    if (!changed)
        return;
    d->text->setProperty("fileName", u"switchyard-dossier-%1-%2"_s.arg(text(key.ns), text(key.base)));
    d->fill();
    if (d->box->count() > 0)
        Q_EMIT wanted(d->chosen());
}

void DossierPage::setGone()
{
    if (d->cluster)
        d->note->say(Tone::Bad, tr("The cluster is gone; what is shown is what was last known."));
}

void DossierPage::clear()
{
    d->cluster.reset();
    d->wantedName.clear();
    d->path->setText(tr("No cluster is open. Choose one in the fleet."));
    d->note->say(Tone::Neutral, {});
    d->box->clear();
    for (QWidget *widget : {static_cast<QWidget *>(d->box), static_cast<QWidget *>(d->copy), static_cast<QWidget *>(d->save)})
        widget->setEnabled(false);
    d->show({});
}

void DossierPage::choose(const QString &transition)
{
    d->wantedName = transition;
    if (!d->cluster)
        return;
    d->fill();
    if (d->box->count() > 0)
        Q_EMIT wanted(d->chosen());
}

void DossierPage::setText(const QString &transition, const QString &html)
{
    if (transition == d->chosen())
        d->show(html);
}

void DossierPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && d)
        d->style();
}

} // namespace switchyard::views
