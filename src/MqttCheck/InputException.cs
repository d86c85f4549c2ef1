using MqttCheck.Text;

namespace MqttCheck;

/// <summary>
/// Wrong input from the user: a file, an option, a value. The message says what is wrong, the value given, what is
/// allowed, and where (file, line, key). It has no character that steers a terminal.
/// </summary>
internal sealed class InputException : Exception
{
    /// <summary>An exception with one or several complete findings, one per line.</summary>
    /// <param name="message">What, the value given, the allowed range, where.</param>
    public InputException(string message)
        : base(Printable.Message(message)) { }

    /// <summary>An exception with a message for people and its cause.</summary>
    /// <param name="message">What, the value given, the allowed range, where.</param>
    /// <param name="innerException">The cause.</param>
    public InputException(string message, Exception innerException)
        : base(Printable.Message(message), innerException) { }

    /// <summary>Whether it is a question that is answered all the same where <c>--beyond</c> asks for it.</summary>
    public bool IsAnsweredBeyond { get; init; }

    /// <summary>Throws one exception with all findings, one per line, if there are any.</summary>
    /// <param name="findings">Complete findings, as the message of the exception wants them.</param>
    /// <exception cref="InputException">There is a finding.</exception>
    public static void ThrowIfAny(IEnumerable<string> findings)
    {
        var message = string.Join('\n', findings);
        if (message.Length > 0)
            throw new InputException(message);
    }
}
