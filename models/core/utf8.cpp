// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/utf8.h"

namespace switchyard {

std::size_t utf8SequenceLength(std::string_view text, std::size_t pos)
{
    const auto byte = [&](std::size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned b = byte(pos);
    if (b < 0x80U)
        return 1;
    if (b >= 0xC2U && b <= 0xDFU)
        return follows(pos + 1) ? 2 : 0;
    const unsigned second = byte(pos + 1);
    if (b >= 0xE0U && b <= 0xEFU) {
        const bool overlong = b == 0xE0U && second < 0xA0U;
        const bool surrogate = b == 0xEDU && second > 0x9FU;
        return !overlong && !surrogate && follows(pos + 1) && follows(pos + 2) ? 3 : 0;
    }
    if (b >= 0xF0U && b <= 0xF4U) {
        const bool overlong = b == 0xF0U && second < 0x90U;
        const bool tooLarge = b == 0xF4U && second > 0x8FU;
        return !overlong && !tooLarge && follows(pos + 1) && follows(pos + 2) && follows(pos + 3) ? 4 : 0;
    }
    return 0;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t pos = 0; pos < text.size();) {
        if (static_cast<unsigned char>(text[pos]) < 0x80U) {
            ++pos;
            continue;
        }
        const auto length = utf8SequenceLength(text, pos);
        if (length == 0)
            return false;
        pos += length;
    }
    return true;
}

std::string repairUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size() + 8);
    for (std::size_t pos = 0; pos < text.size();) {
        const auto length = utf8SequenceLength(text, pos);
        if (length == 0)
            result += "\xEF\xBF\xBD";
        else
            result += text.substr(pos, length);
        pos += length == 0 ? 1 : length;
    }
    return result;
}

} // namespace switchyard
