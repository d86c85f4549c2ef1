using System.Buffers.Text;
using System.Collections.Immutable;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using CsvHelper;
using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Logs;

/// <summary>
/// Reads exchange logs, strictly: every column must be there under its name (in any order), no other may be, and every field must hold what its column allows.
/// </summary>
/// <remarks>The library splits the records; fields are converted here, because its conversions let through what a log must not hold ("1,5" as 15, enum numbers, infinities).</remarks>
public static class ExchangeLogReader
{
    private const int MostFindings = 10;

    private static readonly string[] Kinds = [.. Enumerable.Range(0, MessageKinds.Count).Select(kind => ((MessageKind)kind).Name())];

    /// <summary>Reads a log and the information beside it.</summary>
    /// <param name="path">The path of the CSV file.</param>
    /// <returns>The log. A last line that was cut short, as by a killed process, is left out with a warning.</returns>
    /// <exception cref="InputException">The file is missing, has other columns or another version, or holds a wrong value: file, line, column, value, allowed range
    /// (the first ten findings).</exception>
    public static ExchangeLog Read(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        byte[] bytes;
        try
        {
            bytes = File.ReadAllBytes(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            var reason = failure is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : failure.Message;
            throw new InputException($"log \"{path}\": {reason}; allowed: the path of a CSV file written by an exploration", failure);
        }

        var warnings = new List<string>();
        var exchanges = Parse(bytes, path, warnings);
        var information = RunInformationFile.TryRead(path);
        if (information is null)
        {
            warnings.Add($"{RunInformationFile.PathOf(path)}: there is no such file; broker, machine and seed of the log are unknown");
            information = RunInformation.DerivedFrom(exchanges);
        }
        else if (!information.Complete)
        {
            warnings.Add($"{path}: the run was interrupted; the log is whole up to its last line");
        }
        return new()
        {
            Exchanges = exchanges,
            Information = information,
            Warnings = warnings,
            Sha256 = Convert.ToHexStringLower(SHA256.HashData(bytes)),
            Source = path,
        };
    }

    /// <summary>Reads the exchanges of a log from text.</summary>
    /// <param name="utf8">The CSV text.</param>
    /// <param name="source">What to call it in messages.</param>
    /// <param name="warnings">Takes a warning when the last line was cut short.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    internal static ImmutableArray<Exchange> Parse(byte[] utf8, string source, List<string> warnings)
    {
        var options = new CsvReaderOptions
        {
            Separator = ',',
            AllowLineBreaksInQuotes = false,
            DetectSeparatorHint = false,
            TrackLineNumbers = true,
        };
        using var csv = CsvReader.Create(utf8, options);
        csv.ReadHeader();
        var columns = Columns(csv.Headers, source);
        var result = new List<Exchange>(utf8.Length / 120);
        var findings = new List<string>();
        var endsWhole = utf8.Length > 0 && utf8[^1] == '\n';
        while (csv.Read())
        {
            var before = findings.Count;
            var line = csv.LineNumber;
            Exchange exchange = default;
            if (csv.FieldCount != columns.Length)
                findings.Add($"{source}:{line}: {csv.FieldCount} fields given; allowed: {columns.Length}");
            else
                exchange = new Row(csv, columns, source, findings).Exchange();

            if (findings.Count == before)
            {
                result.Add(exchange);
            }
            else if (!endsWhole && before == 0 && !csv.Read())
            {
                warnings.Add($"{source}:{line}: the last line was cut short and is left out");
                return [.. result];
            }
            if (findings.Count >= MostFindings) break;
        }
        if (findings.Count > 0) throw new InputException(string.Join('\n', findings.Take(MostFindings)));
        return [.. result];
    }

    // For each known column its index in the file.
    private static int[] Columns(IReadOnlyList<string> headers, string source)
    {
        var names = ExchangeColumns.Names;
        var missing = names.Where(name => !headers.Contains(name)).ToList();
        var unknown = headers.Where(name => !names.Contains(name)).ToList();
        if (missing.Count > 0 || unknown.Count > 0 || headers.Count != names.Length)
        {
            var what = new StringBuilder();
            if (missing.Count > 0) what.Append(CultureInfo.InvariantCulture, $" missing columns {string.Join(", ", missing)};");
            if (unknown.Count > 0) what.Append(CultureInfo.InvariantCulture, $" unknown columns {string.Join(", ", unknown.Select(name => $"\"{name}\""))};");
            if (what.Length == 0) what.Append(" a column is given twice;");
            throw new InputException($"{source}:1: not an exchange log of this version:{what} allowed: {string.Join(", ", names)}");
        }
        return [.. names.Select(name => headers.ToList().IndexOf(name))];
    }

    // One record; fields are asked for in the order of the columns' names.
    private ref struct Row(CsvReader csv, int[] columns, string source, List<string> findings)
    {
        private int _column;

        public Exchange Exchange() => new()
        {
            Message = (MessageKind)Word(Kinds),
            ActiveMessages = Integer(1, int.MaxValue),
            TotalSubscriptions = Integer(0, int.MaxValue),
            TopicSize = Integer(0, 65_535),
            MessageSize = Integer(0, int.MaxValue),
            Subscribers = Integer(0, int.MaxValue),
            Receivers = Integer(0, int.MaxValue),
            LatencyMilliseconds = NumberOrNothing(),
            Run = Integer(0, 1_000_000),
            Client = Integer(0, 1_000_000),
            Sequence = Integer(0, int.MaxValue),
            IssueIndex = Long(),
            IntendedMicroseconds = Number(),
            SentMicroseconds = Number(),
            SendBoundMicroseconds = NumberOrNothing(),
            AcknowledgedMicroseconds = NumberOrNothing(),
            LastDeliveryMicroseconds = NumberOrNothing(),
            EndMicroseconds = Number(),
            Qos = (QualityOfService)Integer(0, 2),
            Topic = Integer(-1, 65_535),
            Phase = (ExchangePhase)Word(ExchangeColumns.Phases),
            Outcome = (ExchangeOutcome)Word(ExchangeColumns.Outcomes),
        };

        private int Word(string[] words)
        {
            var span = Next();
            for (var index = 0; index < words.Length; index++)
            {
                if (Ascii.Equals(span, words[index])) return index;
            }
            Add(string.Join(", ", words));
            return 0;
        }

        private int Integer(int minimum, int maximum)
        {
            var span = Next();
            if (Utf8Parser.TryParse(span, out int value, out var used) && used == span.Length && value >= minimum && value <= maximum) return value;
            Add(maximum == int.MaxValue
                ? string.Create(CultureInfo.InvariantCulture, $"an integer, at least {minimum}")
                : string.Create(CultureInfo.InvariantCulture, $"an integer, {minimum} .. {maximum}"));
            return minimum;
        }

        private long Long()
        {
            var span = Next();
            if (Utf8Parser.TryParse(span, out long value, out var used) && used == span.Length && value >= 0) return value;
            Add("an integer, at least 0");
            return 0;
        }

        private double NumberOrNothing() => csv.GetSpan(columns[_column]).IsEmpty ? Nothing() : Number();

        private double Number()
        {
            var span = Next();
            // The parser of the framework reads to the nearest double, as the writer's shortest text demands.
            if (double.TryParse(span, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture, out var value)
                && double.IsFinite(value))
                return value;
            Add("a finite number");
            return 0;
        }

        private double Nothing()
        {
            _column++;
            return double.NaN;
        }

        private ReadOnlySpan<byte> Next() => csv.GetSpan(columns[_column++]);

        private readonly void Add(string allowed)
        {
            var given = csv.GetString(columns[_column - 1]);
            if (given.Length > 60) given = given[..60] + "...";
            findings.Add(string.Create(CultureInfo.InvariantCulture,
                $"{source}:{csv.LineNumber}: column {ExchangeColumns.Names[_column - 1]}: \"{given}\" given; allowed: {allowed}"));
        }
    }
}
