using System.Security.Cryptography;
using System.Text;

namespace MqttCheck.Captures.Populations;

/// <summary>
/// Words in the place of the levels of topics, as long as these and the same for the same level. They come from a key
/// that is forgotten.
/// </summary>
internal sealed class Pseudonyms
{
    private const int KeyBytes = 32;
    private const int Attempts = 16;

    private readonly byte[]? _key;
    private readonly Dictionary<string, string> _words = new(StringComparer.Ordinal);
    private readonly HashSet<string> _used = new(StringComparer.Ordinal);

    /// <summary>Words for levels, or the levels themselves.</summary>
    /// <param name="keepsNames">Whether the levels are written as they are.</param>
    public Pseudonyms(bool keepsNames) => _key = keepsNames ? null : RandomNumberGenerator.GetBytes(KeyBytes);

    /// <summary>A pattern or filter with other words; what is variable, and wildcards, stay.</summary>
    public string Of(string pattern) =>
        _key is null
            ? pattern
            : string.Join(
                '/',
                pattern.Split('/').Select(level => level is "" or "+" or "#" || level[0] == '$' ? level : Level(level))
            );

    private string Level(string level)
    {
        var at = level.IndexOf(TopicPatterns.Variable, StringComparison.Ordinal);
        return at < 0 ? Word(level) : (at == 0 ? "" : Word(level[..at])) + TopicPatterns.Variable;
    }

    private string Word(string text)
    {
        if (_words.TryGetValue(text, out var known))
            return known;
        var length = Encoding.UTF8.GetByteCount(text);
        string word;
        var attempt = 0;
        do
        {
            var hash = HMACSHA256.HashData(
                _key!,
                Encoding.UTF8.GetBytes(FormattableString.Invariant($"{attempt} {text}"))
            );
            // Short words may be used up, so they grow.
            word = Letters(hash, length + attempt / Attempts);
            attempt++;
        } while (!_used.Add(word));
        _words.Add(text, word);
        return word;
    }

    private static string Letters(byte[] hash, int length) =>
        string.Create(
            length,
            hash,
            static (letters, hash) =>
            {
                for (var i = 0; i < letters.Length; i++)
                    letters[i] = (char)('a' + (hash[i % hash.Length] + i / hash.Length) % 26);
            }
        );
}
