// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A picture over time with what belongs to it: title, buttons to zoom, choice of the range, scroll bar, the line that tells what is under
// the pointer, and its file.
#include "views/charts/picture.h"

class QComboBox;
class QLabel;
class QScrollBar;

namespace switchyard::views {

class CaptionLabel;

class PicturePanel : public QWidget
{
    Q_OBJECT
public:
    // title: of the saved picture too; caption: what the colours and shapes mean. Takes the canvas.
    PicturePanel(TimeCanvas *canvas, const QString &title, const QString &caption, QWidget *parent = nullptr);
    void setSubject(const QString &subject); // context, namespace, cluster: of the saved picture
    void setSummary(const QString &text);    // what the line below says while nothing is under the pointer
    QByteArray picture(PictureFormat format) const;
    TimeCanvas *canvas() const { return m_canvas; }
    void choose(std::optional<Duration> last); // a range of the choice; nullopt: everything
    void startAnew();                          // with another cluster: what was chosen by hand does not suit it

Q_SIGNALS:
    void saveRequested(const QString &file, const QByteArray &bytes);

private:
    QLayout *buildTop(const QString &caption);
    void chosen();
    void showRange();
    void save();

    TimeCanvas *m_canvas;
    QString m_title, m_subject, m_summary;
    QComboBox *m_range;
    QScrollBar *m_bar;
    QLabel *m_told;
    bool m_choosing = false;
};

} // namespace switchyard::views
