using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Text;

namespace MqttCheck.Captures.Logs;

/// <summary>
/// The file with the names behind the numbers of a log. Names are written as they are, or as hashes with a key that is
/// forgotten: nobody can try names until one fits.
/// </summary>
internal static class NamesFile
{
    private const int KeyBytes = 32;
    private const int HashBytes = 8;

    /// <summary>The path of the file beside a log.</summary>
    public static string PathOf(string log) => Path.ChangeExtension(log, ".names.tsv");

    /// <summary>Writes the file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="names">The names.</param>
    /// <param name="keepsNames">Whether they are written as they are.</param>
    public static void Write(string path, SeenNames names, bool keepsNames)
    {
        var key = RandomNumberGenerator.GetBytes(KeyBytes);
        var text = new StringBuilder("kind\tnumber\tname\tsession\n");
        foreach (var (name, client) in names.Clients.OrderBy(pair => pair.Value.Number))
            Add("client", client.Number, name, client.IsJoined ? "joined" : "seen");
        foreach (var topic in names.Topics.OrderBy(topic => topic.Number))
            Add("topic", topic.Number, Encoding.UTF8.GetString(topic.Name), "");
        foreach (var (filters, number) in names.Filters.OrderBy(pair => pair.Value))
            Add("filters", number, filters.Replace('\n', ' '), "");
        AtomicFile.Write(path, Encoding.UTF8.GetBytes(text.ToString()));

        void Add(string kind, int number, string name, string remark)
        {
            var shown = keepsNames ? OnOneLine(name) : Hash(name);
            text.Append(CultureInfo.InvariantCulture, $"{kind}\t{number}\t{shown}\t{remark}\n");
        }

        string Hash(string name) =>
            Convert.ToHexStringLower(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(name)).AsSpan(0, HashBytes));
    }

    private static string OnOneLine(string name) => Printable.Text(name.Replace('\n', ' ').Replace('\t', ' '));
}
