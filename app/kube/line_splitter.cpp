// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/line_splitter.h"

namespace switchyard::kube {

QByteArrayList LineSplitter::feed(const QByteArray &bytes)
{
    QByteArrayList lines;
    qsizetype start = 0;
    while (!m_tooLong) {
        const qsizetype end = bytes.indexOf('\n', start);
        if (end < 0)
            break;
        take(lines, bytes.constData() + start, end - start);
        start = end + 1;
    }
    if (!m_tooLong) {
        m_rest.append(bytes.constData() + start, bytes.size() - start);
        m_tooLong = m_rest.size() > m_cap;
    }
    if (m_tooLong)
        m_rest.clear();
    return lines;
}

void LineSplitter::take(QByteArrayList &lines, const char *begin, qsizetype size)
{
    m_rest.append(begin, size);
    if (m_rest.size() > m_cap) {
        m_tooLong = true;
        return;
    }
    if (m_rest.endsWith('\r'))
        m_rest.chop(1);
    lines.append(std::exchange(m_rest, {}));
}

} // namespace switchyard::kube
