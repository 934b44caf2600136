// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/picture_panel.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>

#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int barSteps = 100000;
constexpr int mostLines = 3; // of the summary
constexpr double zoomStep = 0.5;

QString fileName(const QString &title, const QString &subject)
{
    QString name = (subject + u' ' + title).toLower();
    name.replace(QRegularExpression(u"[^a-z0-9.]+"_s), u"-"_s);
    return name + u".png"_s;
}

} // namespace

PicturePanel::PicturePanel(TimeCanvas *canvas, const QString &title, const QString &caption, QWidget *parent)
    : QWidget(parent)
    , m_canvas(canvas)
    , m_title(title)
    , m_range(new QComboBox(this))
    , m_bar(new QScrollBar(Qt::Horizontal, this))
    , m_told(new QLabel(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid / 2);
    column->addLayout(buildTop(caption));
    column->addWidget(canvas, 1);
    column->addWidget(m_bar);
    column->addWidget(m_told);
    m_told->setTextFormat(Qt::PlainText);
    m_told->setWordWrap(true);
    m_told->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_told->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_told->setFixedHeight(2 * m_told->fontMetrics().lineSpacing()); // of any text: the picture above stays as it is
    m_bar->setAccessibleName(tr("Time shown by the picture"));
    m_bar->setFocusPolicy(Qt::NoFocus); // the picture itself takes the keys
    connect(canvas, &TimeCanvas::rangeChanged, this, &PicturePanel::showRange);
    connect(canvas, &TimeCanvas::told, this,
            [this](const QString &text) { m_told->setText(text.isEmpty() ? m_summary : QString(text).replace(u'\n', u"  \u00b7  "_s)); });
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        const TimeRange &all = m_canvas->all();
        const double share = static_cast<double>(value) / barSteps;
        const Instant from = all.from + Duration(std::llround(static_cast<double>(all.length().count()) * share));
        m_canvas->setShown({from, from + m_canvas->shown().length()});
    });
    showRange();
}

QLayout *PicturePanel::buildTop(const QString &caption)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(grid);
    auto *legend = new ElidedLabel(caption, this);
    legend->setTextFormat(Qt::PlainText);
    row->addWidget(legend, 1);
    const auto button = [&](const QString &text, const QString &name, auto act) {
        auto *made = new QToolButton(this);
        made->setText(text);
        made->setAccessibleName(name);
        made->setToolTip(name);
        connect(made, &QToolButton::clicked, m_canvas, act);
        row->addWidget(made);
        return made;
    };
    button(u"\u2212"_s, tr("Zoom out (key -)"), [this] { m_canvas->zoom(1 / zoomStep); })->setObjectName(u"zoomOut"_s);
    button(u"+"_s, tr("Zoom in (key +)"), [this] { m_canvas->zoom(zoomStep); })->setObjectName(u"zoomIn"_s);
    const std::pair<QString, Duration> choices[] = {
        {tr("everything"), 0s},     {tr("last year"), 365 * 24h}, {tr("last 30 days"), 30 * 24h}, {tr("last 7 days"), 7 * 24h},
        {tr("last 24 hours"), 24h}, {tr("last hour"), 1h},        {tr("last 10 minutes"), 10min}, {tr("last minute"), 1min}};
    for (const auto &[words, length] : choices)
        m_range->addItem(words, QVariant::fromValue<qlonglong>(std::chrono::duration_cast<std::chrono::seconds>(length).count()));
    m_range->setAccessibleName(tr("Time range of the picture"));
    m_range->setPlaceholderText(tr("chosen by hand"));
    connect(m_range, &QComboBox::currentIndexChanged, this, &PicturePanel::chosen);
    row->addWidget(m_range);
    auto *saveButton = new QPushButton(tr("Save &picture\u2026"), this);
    saveButton->setObjectName(u"savePicture"_s);
    connect(saveButton, &QPushButton::clicked, this, &PicturePanel::save);
    row->addWidget(saveButton);
    return row;
}

void PicturePanel::chosen()
{
    if (m_range->currentIndex() < 0)
        return;
    m_choosing = true;
    const std::chrono::seconds length(m_range->currentData().toLongLong());
    if (length > 0s)
        m_canvas->showLast(length);
    else
        m_canvas->showAll();
    m_choosing = false;
}

void PicturePanel::choose(std::optional<Duration> last)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(last.value_or(0s)).count();
    const int index = m_range->findData(QVariant::fromValue<qlonglong>(seconds));
    if (index == m_range->currentIndex())
        return chosen();
    m_range->setCurrentIndex(index);
}

void PicturePanel::startAnew()
{
    m_canvas->clearCursor();
    if (m_range->currentIndex() < 0)
        m_range->setCurrentIndex(0);
    else
        chosen();
}

void PicturePanel::showRange()
{
    const TimeRange &all = m_canvas->all(), &shown = m_canvas->shown();
    const double whole = std::max(1e-6, toSeconds(all.length()));
    const QSignalBlocker quiet(m_bar);
    const int page = static_cast<int>(std::lround(barSteps * std::min(1.0, toSeconds(shown.length()) / whole)));
    m_bar->setRange(0, barSteps - page);
    m_bar->setPageStep(std::max(1, page));
    m_bar->setSingleStep(std::max(1, page / 10));
    m_bar->setValue(static_cast<int>(std::lround(barSteps * toSeconds(shown.from - all.from) / whole)));
    m_bar->setEnabled(page < barSteps);
    if (!m_choosing && !m_canvas->isAsChosen()) {
        const QSignalBlocker still(m_range);
        m_range->setCurrentIndex(-1);
    }
}

void PicturePanel::setSubject(const QString &subject)
{
    m_subject = subject;
}

void PicturePanel::setSummary(const QString &text)
{
    if (m_told->text() == m_summary)
        m_told->setText(text);
    m_summary = text;
    if (!isVisible() || m_told->text() != text)
        return;
    const int wanted = qMin(m_told->heightForWidth(m_told->width()), mostLines * m_told->fontMetrics().lineSpacing());
    if (wanted > m_told->height()) // and never lower again: the picture above stays as it is
        m_told->setFixedHeight(wanted);
}

QByteArray PicturePanel::picture(PictureFormat format) const
{
    return pictureBytes(*m_canvas, m_title, m_subject, format);
}

void PicturePanel::save()
{
    auto *dialog = new QFileDialog(this, tr("Save the picture"), {}, tr("PNG (*.png);;SVG (*.svg)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"png"_s);
    dialog->selectFile(fileName(m_title, m_subject));
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString &filter) { dialog->setDefaultSuffix(filter.startsWith(u"SVG"_s) ? u"svg"_s : u"png"_s); });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &file) {
        Q_EMIT saveRequested(file, picture(file.endsWith(u".svg"_s, Qt::CaseInsensitive) ? PictureFormat::Svg : PictureFormat::Png));
    });
    dialog->open();
}

} // namespace switchyard::views
