// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/config_editor.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"

#include <QPainter>
#include <QTextBlock>

namespace switchyard::views {

using namespace Qt::StringLiterals;

class ConfigEditor::Margin : public QWidget
{
public:
    explicit Margin(ConfigEditor *editor)
        : QWidget(editor)
        , m_editor(editor)
    {}

protected:
    void paintEvent(QPaintEvent *event) override { m_editor->paintMargin(event); }

private:
    ConfigEditor *m_editor;
};

ConfigEditor::ConfigEditor(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_margin(new Margin(this))
{
    setFont(monospaceFont(font()));
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true); // a tab is no indentation in YAML
    connect(this, &QPlainTextEdit::blockCountChanged, this, &ConfigEditor::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int scrolled) {
        if (scrolled != 0)
            m_margin->scroll(0, scrolled);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    placeMargin();
}

int ConfigEditor::marginWidth() const
{
    const int digits = qMax(3, int(QString::number(blockCount()).size()));
    return fontMetrics().horizontalAdvance(u'9') * digits + fontMetrics().height() + grid;
}

void ConfigEditor::placeMargin()
{
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect inner = contentsRect();
    m_margin->setGeometry(inner.left(), inner.top(), marginWidth(), inner.height());
    m_margin->update();
}

void ConfigEditor::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void ConfigEditor::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tint();
    if (event->type() == QEvent::FontChange)
        placeMargin();
}

void ConfigEditor::paintMargin(QPaintEvent *event)
{
    QPainter painter(m_margin);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), cardGround(palette()));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    while (block.isValid()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > event->rect().bottom())
            break;
        const int line = block.blockNumber() + 1;
        const QRectF row(0, box.top(), m_margin->width() - grid / 2.0, fontMetrics().height());
        painter.setPen(secondaryText(palette()));
        painter.drawText(row, int(Qt::AlignRight | Qt::AlignVCenter), QString::number(line));
        if (const auto mark = m_marked.find(line); mark != m_marked.end()) {
            const Tone tone = mark->second ? Tone::Bad : Tone::Warning;
            const double side = fontMetrics().height() * 0.6;
            paintShape(painter, QRectF(2, row.center().y() - side / 2, side, side), tone, toneColor(tone, palette()));
        }
        block = block.next();
    }
}

void ConfigEditor::setMarked(const std::map<int, bool> &lines)
{
    if (m_marked == lines)
        return;
    m_marked = lines;
    tint();
    m_margin->update();
}

void ConfigEditor::tint()
{
    QList<QTextEdit::ExtraSelection> tints;
    for (const auto &[line, bad] : m_marked) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (!block.isValid())
            continue;
        QTextEdit::ExtraSelection tinted;
        tinted.cursor = QTextCursor(block);
        tinted.format.setBackground(badgeGround(bad ? Tone::Bad : Tone::Warning, palette()));
        tinted.format.setProperty(QTextFormat::FullWidthSelection, true);
        tints << tinted;
    }
    setExtraSelections(tints);
}

void ConfigEditor::goTo(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid())
        return;
    setTextCursor(QTextCursor(block));
    centerCursor();
    setFocus();
}

namespace {

qsizetype depthOf(const QString &line)
{
    qsizetype depth = 0;
    while (depth < line.size() && line.at(depth).isSpace())
        ++depth;
    return depth;
}

bool isKey(const QString &line, const QString &key)
{
    QString inside = line.trimmed();
    inside.remove(u'"').remove(u'\'');
    return inside.startsWith(key + u':');
}

} // namespace

int lineOf(const QString &text, const QString &path)
{
    if (path.isEmpty())
        return 0;
    const QStringList lines = text.split(u'\n');
    qsizetype at = 0, indent = -1;
    int found = 0;
    for (const QString &key : path.split(u'.')) {
        qsizetype line = at;
        while (line < lines.size() && !(depthOf(lines.at(line)) > indent && isKey(lines.at(line), key))) {
            const bool left = !lines.at(line).trimmed().isEmpty() && depthOf(lines.at(line)) <= indent;
            line = left ? lines.size() : line + 1; // out of what holds it
        }
        if (line == lines.size())
            return found;
        indent = depthOf(lines.at(line));
        found = int(line) + 1;
        at = line + 1;
    }
    return found;
}

} // namespace switchyard::views
