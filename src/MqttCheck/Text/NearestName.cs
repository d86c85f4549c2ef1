namespace MqttCheck.Text;

/// <summary>Guesses which of several names was meant by a word that is none of them.</summary>
internal static class NearestName
{
    // A word with more wrong letters was hardly meant.
    private const int MostWrongLetters = 3;

    /// <summary>The guess that ends a sentence, <c>; did you mean 'run'?</c>; empty where no name is near.</summary>
    /// <param name="word">The word that was given.</param>
    /// <param name="names">The names that are allowed.</param>
    public static string Meant(string word, IEnumerable<string> names)
    {
        // A word longer than every name is a path or a text, and would take long to compare.
        if (word.Length > 64)
            return "";
        var nearest = names
            .Select(name => (Name: name, Distance: Distance(word, name)))
            .Where(one =>
                one.Distance <= Math.Min(MostWrongLetters, Math.Max(1, word.TrimStart('-').Length / 2))
                || (word.Length > 3 && one.Name.StartsWith(word, StringComparison.Ordinal))
            )
            .OrderBy(one => one.Distance)
            .ThenBy(one => Math.Abs(one.Name.Length - word.Length))
            .ThenBy(one => one.Name, StringComparer.Ordinal)
            .Select(one => one.Name)
            .FirstOrDefault();
        return nearest is null ? "" : $"; did you mean '{nearest}'?";
    }

    // Levenshtein's distance, where two letters in the wrong order count once (optimal string alignment).
    private static int Distance(string one, string other)
    {
        var rows = new int[one.Length + 1, other.Length + 1];
        for (var i = 0; i <= one.Length; i++)
        {
            for (var j = 0; j <= other.Length; j++)
            {
                if (i == 0 || j == 0)
                {
                    rows[i, j] = i + j;
                    continue;
                }
                var replaced = rows[i - 1, j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
                rows[i, j] = Math.Min(Math.Min(rows[i - 1, j], rows[i, j - 1]) + 1, replaced);
                if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                    rows[i, j] = Math.Min(rows[i, j], rows[i - 2, j - 2] + 1);
            }
        }
        return rows[one.Length, other.Length];
    }
}
