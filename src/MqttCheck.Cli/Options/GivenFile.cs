using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Cli.Options;

/// <summary>A file that the user names in an option.</summary>
internal static class GivenFile
{
    /// <summary>Reads it.</summary>
    /// <param name="read">Reads the file of a path.</param>
    /// <param name="refusal">The message to the user; takes what the system says.</param>
    /// <exception cref="InputException">It cannot be read.</exception>
    public static T Read<T>(FileInfo file, Func<string, T> read, Func<string, string> refusal)
    {
        try
        {
            return read(file.FullName);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                refusal($"'{Printable.Value(file.ToString())}': {InputFile.Reason(exception, file.FullName)}"),
                exception
            );
        }
    }
}
