// Asks realm-core the questions of the benchmark, which come on standard input, one a line; each is answered by a line
// with nanoseconds and the answer, or by one with the word "error" and why. The first line is realm-core's version. What
// is measured, and how often, is as in the Swift side: see `median` in Measure.swift.

#include <realm.hpp>
#include <realm/history.hpp>
#include <realm/version.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace realm;

namespace {

double nanoseconds(const std::function<void()>& body)
{
    auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

double middle(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// The median of some repetitions after a warm-up; short work is done several times in each.
double median(int repetitions, const std::function<void()>& body)
{
    body();
    double once = nanoseconds(body);
    int times = std::max(1, std::min(1000, int(1e6 / std::max(once, 1.0))));
    std::vector<double> measured;
    for (int turn = 0; turn < repetitions; ++turn) {
        measured.push_back(nanoseconds([&] {
                               for (int i = 0; i < times; ++i)
                                   body();
                           }) /
                           times);
    }
    return middle(measured);
}

std::vector<std::string> split(const std::string& line, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

/// One earthquake of the file that the Swift side writes: nine values between tabs, an empty one for nil.
struct Quake {
    std::string code;
    util::Optional<double> magnitude;
    /// Milliseconds since 1970.
    int64_t time;
    util::Optional<std::string> place;
    double depth;
    util::Optional<int64_t> felt;
    int64_t significance;
    bool tsunami;
    std::string type;

    explicit Quake(const std::string& line)
    {
        auto values = split(line, '\t');
        if (values.size() != 9)
            throw std::runtime_error("a row has " + std::to_string(values.size()) + " values: " + line);
        code = values[0];
        if (!values[1].empty())
            magnitude = std::stod(values[1]);
        time = std::stoll(values[2]);
        if (!values[3].empty())
            place = values[3];
        depth = std::stod(values[4]);
        if (!values[5].empty())
            felt = std::stoll(values[5]);
        significance = std::stoll(values[6]);
        tsunami = values[7] == "1";
        type = values[8];
    }
};

class Peer {
public:
    Peer(std::string path, int repetitions)
        : m_path(std::move(path))
        , m_repetitions(repetitions)
    {
    }

    /// What a line asks, answered as "nanoseconds answer".
    std::string answer(const std::string& line)
    {
        auto parts = split(line, '\t');
        const std::string kind = parts.at(0);
        const std::string text = parts.size() > 1 ? parts[1] : "";
        std::ostringstream said;
        said.precision(17);
        auto say = [&](double time, double answer) {
            said << time << ' ' << answer;
        };
        // `answer` makes the answer of what was found, which is not part of the time.
        auto measured = [&](const std::function<double()>& ask,
                            const std::function<double(double)>& answer = [](double found) { return found; }) {
            double found = answer(ask());
            double time = median(m_repetitions, [&] { m_kept = ask(); });
            say(time, found);
        };
        if (kind == "load") {
            double time = load(text);
            say(time, double(m_table->size()));
        }
        else if (kind == "index") {
            say(index(split(text, ' ')), 0);
        }
        else if (kind == "count") {
            measured([&] {
                return double(m_table->query(text).count());
            });
        }
        else if (kind == "list") {
            // A property of the objects found, weighted by their places: objects that are sorted by it and have the same
            // value may come in any order.
            auto column = m_table->get_column_key(parts.at(2));
            measured(
                [&] {
                    m_found = m_table->query(text).find_all();
                    return double(m_found.size());
                },
                [&](double) {
                    double sum = 0;
                    for (size_t i = 0; i < m_found.size(); ++i) {
                        auto value = m_found.get_object(i).get_any(column);
                        sum += (value.is_null() ? -1 : value.get_double()) * double(i % 10 + 1);
                    }
                    return sum;
                });
        }
        else if (kind == "average") {
            measured([&] {
                return m_table->avg(m_table->get_column_key(text))->get_double();
            });
        }
        else if (kind == "maximum") {
            measured([&] {
                return m_table->max(m_table->get_column_key(text))->get_double();
            });
        }
        else if (kind == "readOne") {
            auto column = m_table->get_column_key("significance");
            measured([&] {
                int64_t sum = 0;
                for (auto& object : *m_table)
                    sum += object.get<Int>(column);
                return double(sum);
            });
        }
        else if (kind == "readNine") {
            measured([&] {
                int64_t sum = 0;
                for (auto& object : *m_table) {
                    auto quake = read(object);
                    sum += quake.significance + int64_t(quake.code.size());
                }
                return double(sum);
            });
        }
        else if (kind == "lookUpOne" || kind == "lookUpNine") {
            // Objects by their codes; the time is of all.
            auto codes = split(text, ' ');
            auto code = m_table->get_column_key("code");
            auto depth = m_table->get_column_key("depth");
            measured([&] {
                double sum = 0;
                for (auto& wanted : codes) {
                    auto object = m_table->get_object(m_table->find_first<StringData>(code, wanted));
                    sum += kind == "lookUpOne" ? object.get<double>(depth) : read(object).depth;
                }
                return sum;
            });
        }
        else if (kind == "update") {
            say(update(std::stoi(text)), 0);
        }
        else {
            throw std::runtime_error("unknown question: " + kind);
        }
        return said.str();
    }

private:
    std::string m_path;
    int m_repetitions;
    DBRef m_database;
    TransactionRef m_snapshot;
    ConstTableRef m_table;
    TableView m_found;
    volatile double m_kept = 0;

    struct Read {
        std::string code;
        util::Optional<double> magnitude;
        Timestamp time;
        util::Optional<std::string> place;
        double depth;
        util::Optional<int64_t> felt;
        int64_t significance;
        bool tsunami;
        std::string type;
    };

    ColKey m_columns[9];

    Read read(const Obj& object)
    {
        auto place = object.get<StringData>(m_columns[3]);
        return Read{object.get<StringData>(m_columns[0]),
                    object.get<util::Optional<double>>(m_columns[1]),
                    object.get<Timestamp>(m_columns[2]),
                    place.is_null() ? util::Optional<std::string>() : util::Optional<std::string>(std::string(place)),
                    object.get<double>(m_columns[4]),
                    object.get<util::Optional<int64_t>>(m_columns[5]),
                    object.get<Int>(m_columns[6]),
                    object.get<Bool>(m_columns[7]),
                    object.get<StringData>(m_columns[8])};
    }

    void renew()
    {
        m_snapshot = m_database->start_read();
        m_table = m_snapshot->get_table("Quake");
        const char* names[] = {"code", "magnitude", "time", "place", "depth", "felt", "significance", "tsunami", "type"};
        for (int i = 0; i < 9; ++i)
            m_columns[i] = m_table->get_column_key(names[i]);
    }

    /// Adds all in one transaction; what reading the file takes is left out.
    double load(const std::string& file)
    {
        std::vector<Quake> quakes;
        std::ifstream stream(file);
        for (std::string line; std::getline(stream, line);)
            quakes.emplace_back(line);
        m_database = DB::create(make_in_realm_history(), m_path);
        double time = nanoseconds([&] {
            auto transaction = m_database->start_write();
            auto table = transaction->add_table("Quake");
            auto code = table->add_column(type_String, "code");
            auto magnitude = table->add_column(type_Double, "magnitude", true);
            auto when = table->add_column(type_Timestamp, "time");
            auto place = table->add_column(type_String, "place", true);
            auto depth = table->add_column(type_Double, "depth");
            auto felt = table->add_column(type_Int, "felt", true);
            auto significance = table->add_column(type_Int, "significance");
            auto tsunami = table->add_column(type_Bool, "tsunami");
            auto type = table->add_column(type_String, "type");
            for (auto& quake : quakes) {
                auto object = table->create_object();
                object.set(code, StringData(quake.code));
                if (quake.magnitude)
                    object.set(magnitude, *quake.magnitude);
                object.set(when, Timestamp(quake.time / 1000, int32_t(quake.time % 1000 * 1000000)));
                if (quake.place)
                    object.set(place, StringData(*quake.place));
                object.set(depth, quake.depth);
                if (quake.felt)
                    object.set(felt, *quake.felt);
                object.set(significance, quake.significance);
                object.set(tsunami, quake.tsunami);
                object.set(type, StringData(quake.type));
            }
            transaction->commit();
        });
        renew();
        return time;
    }

    double index(const std::vector<std::string>& names)
    {
        double time = nanoseconds([&] {
            auto transaction = m_database->start_write();
            auto table = transaction->get_table("Quake");
            for (auto& name : names)
                table->add_search_index(table->get_column_key(name));
            transaction->commit();
        });
        renew();
        return time;
    }

    /// One property of one object in a transaction of its own, which is on the disk when it ends.
    double update(int turns)
    {
        std::vector<double> times;
        size_t count = m_table->size();
        for (int turn = 0; turn < turns; ++turn) {
            times.push_back(nanoseconds([&] {
                auto transaction = m_database->start_write();
                auto table = transaction->get_table("Quake");
                auto object = table->get_object(size_t(turn) * 104729 % count);
                object.set(table->get_column_key("felt"), int64_t(turn + 1000));
                transaction->commit();
            }));
        }
        renew();
        return middle(std::vector<double>(times.begin() + turns / 5, times.end()));
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "realm-peer FILE REPETITIONS\n";
        return 64;
    }
    std::cout << Version::get_version() << std::endl;
    Peer peer(argv[1], std::stoi(argv[2]));
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << peer.answer(line) << std::endl;
        }
        catch (const std::exception& error) {
            std::string why = error.what();
            std::replace(why.begin(), why.end(), '\n', ' ');
            std::cout << "error " << why << std::endl;
        }
    }
}
