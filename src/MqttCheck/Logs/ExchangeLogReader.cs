using System.Collections.Immutable;
using System.Globalization;
using System.IO.Compression;
using System.Runtime.InteropServices;
using System.Text;
using CsvHelper;
using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Logs;

/// <summary>
/// Reads exchange logs, strictly: every column must be there under its name (in any order), no other may be, and every
/// field must hold what its column allows.
/// </summary>
/// <remarks>
/// The library splits the records; fields are converted here, because its conversions let through what a log must not
/// hold ("1,5" as 15, enum numbers, infinities).
/// </remarks>
public static class ExchangeLogReader
{
    private const int MostFindings = 10;
    private const int BufferBytes = 1 << 18;
    private const int GuessedLineBytes = 120;
    private const int MostNames = 5;
    private const string Allowed = "the path of a CSV file written by an exploration";

    /// <summary>Reads a log and the information beside it.</summary>
    /// <param name="path">The path of the CSV file; it may be compressed by gzip, if its name ends in .gz.</param>
    /// <returns>The log. A last line that was cut short, as by a killed process, is left out with a warning.</returns>
    /// <exception cref="InputException">
    /// The file is missing, has other columns or another version, or holds a wrong value: file, line, column, value,
    /// allowed range (the first ten findings).
    /// </exception>
    public static ExchangeLog Read(string path)
    {
        var warnings = new List<string>();
        using var input = new LogInput(Open(path), path);
        var exchanges = ReadAll(input, path, warnings);
        var information = RunInformationFile.TryRead(path);
        if (information is null)
        {
            warnings.Add(
                $"{RunInformationFile.PathOf(path)}: there is no such "
                    + $"file; broker, machine and seed of the log are unknown"
            );
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
            Sha256 = input.Sha256(),
            Source = path,
        };
    }

    /// <summary>Reads the exchanges of a log one by one, in memory that does not grow with the log.</summary>
    /// <param name="path">The path of the CSV file, as in <see cref="Read"/>.</param>
    /// <param name="warn">Told when the last line was cut short and is left out.</param>
    /// <exception cref="InputException">As <see cref="Read"/>, when the wrong line is reached.</exception>
    public static IEnumerable<Exchange> Stream(string path, Action<string> warn)
    {
        using var input = new LogInput(Open(path), path);
        foreach (var exchange in Records(input, path, warn))
            yield return exchange;
    }

    /// <summary>Reads the exchanges of a log from text.</summary>
    /// <param name="utf8">The CSV text.</param>
    /// <param name="source">The name in messages.</param>
    /// <param name="warnings">Takes a warning when the last line was cut short.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    internal static ImmutableArray<Exchange> Parse(byte[] utf8, string source, List<string> warnings)
    {
        using var input = new LogInput(new MemoryStream(utf8, writable: false), source);
        return ReadAll(input, source, warnings);
    }

    private static ImmutableArray<Exchange> ReadAll(LogInput input, string source, List<string> warnings)
    {
        var exchanges = new Exchange[Math.Max(16, input.KnownLength / GuessedLineBytes)];
        var count = 0;
        foreach (var exchange in Records(input, source, warnings.Add))
        {
            if (count == exchanges.Length)
                Array.Resize(ref exchanges, count + count / 4 + 16);
            exchanges[count++] = exchange;
        }
        if (count < exchanges.Length)
            Array.Resize(ref exchanges, count);
        return ImmutableCollectionsMarshal.AsImmutableArray(exchanges);
    }

    private static Stream Open(string path)
    {
        try
        {
            var file = new FileStream(
                path,
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite,
                bufferSize: 0,
                FileOptions.SequentialScan
            );
            if (LogFile.IsCompressed(path))
                return new GZipStream(file, CompressionMode.Decompress);
            RequireText(file, path);
            return file;
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new InputException(
                $"log \"{Printable.Value(path)}\": {InputFile.Reason(failure, path)}; allowed: {Allowed}",
                failure
            );
        }
    }

    // A pipe is read once, so nothing can be looked at beforehand.
    private static void RequireText(FileStream file, string path)
    {
        if (!file.CanSeek)
            return;
        var beginning = new byte[KnownFile.LookedAt];
        var count = file.ReadAtLeast(beginning, beginning.Length, throwOnEndOfStream: false);
        file.Position = 0;
        KnownFile.RequireText(beginning.AsSpan(0, count), "log", path, Allowed);
        KnownFile.Require(beginning.AsSpan(0, count), "log", path, KnownFile.Log);
    }

    private static IEnumerable<Exchange> Records(LogInput input, string source, Action<string> warn)
    {
        var options = new CsvReaderOptions
        {
            Separator = ',',
            AllowLineBreaksInQuotes = false,
            DetectSeparatorHint = false,
            TrackLineNumbers = true,
            BufferSize = BufferBytes,
        };
        using var csv = CsvReader.Create(input, options, leaveOpen: true);
        csv.ReadHeader();
        var columns = Columns(csv.Headers, source);
        var findings = new List<string>();
        var ahead = false;
        while (ahead || csv.Read())
        {
            ahead = false;
            var before = findings.Count;
            var line = csv.LineNumber;
            Exchange exchange = default;
            if (csv.FieldCount != columns.Length)
                findings.Add($"{source}:{line}: {csv.FieldCount} fields given; allowed: {columns.Length}");
            else
                exchange = new ExchangeRow(csv, columns, source, findings).Exchange();

            if (findings.Count == before)
            {
                // After a finding the rest is read for more of them only.
                if (before == 0)
                    yield return exchange;
            }
            else if (before == 0)
            {
                ahead = csv.Read();
                if (!ahead && !input.EndsWithNewline)
                {
                    warn($"{source}:{line}: the last line was cut short and is left out");
                    yield break;
                }
            }
            if (findings.Count >= MostFindings)
                break;
        }
        if (findings.Count > 0)
            throw new InputException(string.Join('\n', findings.Take(MostFindings)));
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
            if (missing.Count > 0)
                what.Append(CultureInfo.InvariantCulture, $" missing columns {string.Join(", ", missing)};");
            if (unknown.Count > 0)
            {
                var shown = unknown.Take(MostNames).Select(name => $"\"{Printable.Value(name)}\"");
                var more = unknown.Count > MostNames ? $" and {unknown.Count - MostNames} more" : "";
                what.Append(CultureInfo.InvariantCulture, $" unknown columns {string.Join(", ", shown)}{more};");
            }
            if (what.Length == 0)
                what.Append(" a column is given twice;");
            KnownFile.Require(Encoding.UTF8.GetBytes(string.Join(',', headers)), "log", source, KnownFile.Log);
            throw new InputException(
                $"{source}:1: not an exchange log of this version:{what} allowed: {string.Join(", ", names)} "
                    + "(a log of 'mqttcheck explore')"
            );
        }
        return [.. names.Select(name => headers.ToList().IndexOf(name))];
    }
}
