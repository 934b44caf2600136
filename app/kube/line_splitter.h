// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes of a watch stream into lines. Pure; a line that grows over the cap ends the splitter for good.
#include <QByteArray>
#include <QByteArrayList>

namespace switchyard::kube {

class LineSplitter
{
public:
    explicit LineSplitter(qsizetype cap)
        : m_cap(cap)
    {}

    // The lines that became complete, without their line ends. Nothing more after tooLong().
    QByteArrayList feed(const QByteArray &bytes);
    bool tooLong() const { return m_tooLong; }
    qsizetype pending() const { return m_rest.size(); } // bytes of a line that has not ended

private:
    void take(QByteArrayList &lines, const char *begin, qsizetype size);

    QByteArray m_rest;
    qsizetype m_cap;
    bool m_tooLong = false;
};

} // namespace switchyard::kube
