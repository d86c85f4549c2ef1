using System.Globalization;
using System.IO.Compression;
using System.Text;
using CsvHelper;
using MqttCheck.Json;
using MqttCheck.Logs;
using MqttCheck.Text;

namespace MqttCheck.Captures.Foreign;

/// <summary>Reads a CSV file of another program by the names of its columns, and gathers what is wrong in it.</summary>
internal sealed class CsvTable : IDisposable
{
    private const int MostFindings = 5;
    private const int MostNames = 20;
    private const int MostRecordBytes = 1 << 22;
    private const int MostShown = 60;

    private readonly CsvReader _csv;
    private readonly string _path;
    private readonly List<string> _findings = [];

    /// <summary>Opens a file.</summary>
    /// <param name="path">Its path; it may be compressed by gzip, if its name ends in .gz.</param>
    /// <param name="hasHeader">Whether its first line names the columns.</param>
    /// <exception cref="InputException">The file cannot be read.</exception>
    public CsvTable(string path, bool hasHeader)
    {
        _path = path;
        var separator = SeparatorOf(FirstLine(path));
        _csv = CsvReader.Create(
            Open(path),
            new CsvReaderOptions
            {
                Separator = separator,
                HasHeader = hasHeader,
                DetectSeparatorHint = false,
                TrackLineNumbers = true,
                MaxRecordSize = MostRecordBytes,
            }
        );
        if (hasHeader)
            Guarded(() => _csv.ReadHeader());
    }

    /// <summary>The names of the columns.</summary>
    public IReadOnlyList<string> Headers => _csv.Headers;

    /// <summary>How many fields the line has.</summary>
    public int Fields => _csv.FieldCount;

    /// <summary>The beginning of a file up to its first line break; empty where it cannot be read.</summary>
    public static string FirstLine(string path)
    {
        try
        {
            // A pipe could be read only once.
            if (!File.Exists(path))
                return "";
            using var input = Open(path);
            var bytes = new byte[KnownFile.LookedAt];
            var count = input.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            var start = Encoding.UTF8.GetString(bytes, 0, count).TrimStart('\uFEFF');
            return start.Split('\n', 2)[0].TrimEnd('\r');
        }
        catch (Exception failure) when (failure is InputException or InvalidDataException or IOException)
        {
            return "";
        }
    }

    /// <summary>The index of a column, or -1.</summary>
    public int Find(string column) => Headers.ToList().IndexOf(column);

    /// <summary>The index of a column that must be there.</summary>
    /// <param name="column">Its name.</param>
    /// <param name="next">The way to get it.</param>
    /// <exception cref="InputException">It is not there.</exception>
    public int Require(string column, string next)
    {
        var index = Find(column);
        if (index >= 0)
            return index;
        var shown = Headers.Take(MostNames).Select(header => Printable.Value(header));
        throw new InputException(
            $"{_path}:1: column {Printable.Value(column)}: not there; "
                + $"allowed: one of {string.Join(", ", shown)}; {next}"
        );
    }

    /// <summary>Goes on to the next line.</summary>
    /// <exception cref="InputException">There are too many wrong values, or a line cannot be read.</exception>
    public bool Read()
    {
        if (_findings.Count >= MostFindings)
            RequireRight();
        return Guarded(_csv.Read);
    }

    /// <summary>Refuses the file if a value was wrong.</summary>
    /// <exception cref="InputException">Wrong values: file, line, column, value, what is allowed.</exception>
    public void RequireRight()
    {
        if (_findings.Count > 0)
            throw new InputException(string.Join('\n', _findings));
    }

    /// <summary>A field as text; empty where the line has no such field.</summary>
    public string Text(int column) => column >= 0 && column < _csv.FieldCount ? _csv.GetString(column) : "";

    /// <summary>A field as an integer, at least 0.</summary>
    public long Integer(int column, string name, long most, string allowed)
    {
        if (
            long.TryParse(Text(column), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            && value <= most
        )
            return value;
        Wrong(column, name, allowed);
        return 0;
    }

    /// <summary>Notes a wrong value of the line.</summary>
    /// <param name="column">The index of the column.</param>
    /// <param name="name">The name of the column.</param>
    /// <param name="allowed">Everything that is allowed there.</param>
    public void Wrong(int column, string name, string allowed)
    {
        if (_findings.Count >= MostFindings)
            return;
        var given = Text(column);
        if (given.Length > MostShown)
            given = given[..MostShown] + "...";
        _findings.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{_path}:{_csv.LineNumber}: column {Printable.Value(name)}: \"{Printable.Value(given)}\" given; "
                    + $"allowed: {allowed}"
            )
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _csv.Dispose();

    // Programs separate by commas, tabs or semicolons, as they are told.
    private static char SeparatorOf(string header) =>
        ((ReadOnlySpan<char>)[',', '\t', ';', '|']).ToArray().MaxBy(mark => header.Count(letter => letter == mark));

    private static Stream Open(string path)
    {
        try
        {
            var file = File.OpenRead(path);
            return LogFile.IsCompressed(path) ? new GZipStream(file, CompressionMode.Decompress) : file;
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new InputException(
                $"log \"{Printable.Value(path)}\": {InputFile.Reason(failure, path)}; allowed: the path of a CSV file",
                failure
            );
        }
    }

    private void Guarded(Action read) =>
        Guarded(() =>
        {
            read();
            return true;
        });

    private bool Guarded(Func<bool> read)
    {
        try
        {
            return read();
        }
        catch (Exception failure) when (failure is CsvFormatException or InvalidDataException)
        {
            throw new InputException(
                $"{_path}: {failure.Message.TrimEnd('.')}; allowed: CSV text, compressed by gzip if the name ends in "
                    + LogFile.Compressed,
                failure
            );
        }
    }
}
