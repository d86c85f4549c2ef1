using System.Collections.Immutable;
using System.Globalization;
using System.IO.Compression;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Tests.Loads.Logs;

/// <summary>
/// Reads the message logs that <see cref="LoadLogWriter"/> writes, strictly: the columns have to be those of this
/// version, and every field has to hold what its column allows.
/// </summary>
internal static class LoadLogReader
{
    /// <summary>Reads a log.</summary>
    /// <param name="path">The path of the CSV file; one that ends in <c>.gz</c> is compressed.</param>
    /// <returns>
    /// The log. A last line that was cut short, as by a full disk or a killed process, is left out with a warning.
    /// </returns>
    /// <exception cref="InputException">
    /// The file is missing, has other columns, or holds a wrong value: file, line, column, value, allowed range.
    /// </exception>
    public static LoadLog Read(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        try
        {
            using Stream file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            using var text = new StreamReader(
                path.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionMode.Decompress) : file
            );
            return Read(text, path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            var reason = failure is FileNotFoundException or DirectoryNotFoundException
                ? "there is no such file"
                : failure.Message;
            throw new InputException(
                $"log \"{path}\": {reason}; allowed: the path of a messages.csv written by mqttcheck bench",
                failure
            );
        }
    }

    /// <summary>Reads a log from text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="source">What to call it in messages.</param>
    internal static LoadLog Read(TextReader text, string source)
    {
        RequireHeader(text.ReadLine(), source);
        var messages = ImmutableArray.CreateBuilder<LoadMessage>();
        var repeats = ImmutableArray.CreateBuilder<LoadRepeat>();
        var warnings = new List<string>();
        LoadVerdict? verdict = null;
        var next = NextLine(text);
        for (var number = 2; next is not null; number++)
        {
            var line = next;
            next = NextLine(text);
            var row = new LoadRow(line, source, number);
            if (row.Finding is { } finding)
            {
                if (next is not null || verdict is not null)
                    throw new InputException(finding);
                warnings.Add($"{source}:{number}: the last line was cut short and is left out");
                break;
            }
            if (verdict is not null)
                throw new InputException($"{source}:{number}: a line after that of the run; allowed: none");
            switch (row.Part)
            {
                case LoadPart.Repeat:
                    repeats.Add(row.Repeat());
                    break;
                case LoadPart.Run:
                    if (row.Number != messages.Count)
                        throw new InputException(
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"{source}:{number}: column number: \"{row.Number}\" given; "
                                    + $"allowed: {messages.Count}, the number of messages before it"
                            )
                        );
                    verdict = row.Verdict;
                    break;
                default:
                    messages.Add(row.Message());
                    break;
            }
        }
        if (verdict is null)
            warnings.Add($"{source}: the run did not come to its end; the log is whole up to its last line");
        return new()
        {
            Messages = messages.DrainToImmutable(),
            Repeats = repeats.DrainToImmutable(),
            Verdict = verdict,
            Warnings = warnings,
        };
    }

    private static void RequireHeader(string? header, string source)
    {
        var expected = string.Join(',', LoadColumns.Names);
        if (header != expected)
            throw new InputException(
                $"{source}:1: not a message log of this version: \"{header}\" given; allowed: {expected}"
            );
    }

    // Compressed text that was cut ends where what is there can no longer be decompressed.
    private static string? NextLine(TextReader text)
    {
        try
        {
            return text.ReadLine();
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }
}
