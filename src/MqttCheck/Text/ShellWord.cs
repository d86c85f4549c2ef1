namespace MqttCheck.Text;

/// <summary>Words of a command line as a POSIX shell takes them.</summary>
internal static class ShellWord
{
    /// <summary>A word, in quotes where a shell would read it otherwise.</summary>
    /// <param name="word">The word.</param>
    public static string Quoted(string word)
    {
        return
            word.Length > 0
            && word.All(c => char.IsAsciiLetterOrDigit(c) || "-_./:,=@+%".Contains(c, StringComparison.Ordinal))
            ? word
            : "'" + word.Replace("'", "'\\''", StringComparison.Ordinal) + "'";
    }
}
