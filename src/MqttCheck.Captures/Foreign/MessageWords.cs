using MqttCheck.Clients;

namespace MqttCheck.Captures.Foreign;

/// <summary>Recognises kinds of messages by words that other programs have for them.</summary>
internal static class MessageWords
{
    /// <summary>Recognises a kind.</summary>
    /// <param name="text">A word or a label, such as <c>MQTT Pub Sampler</c>.</param>
    /// <returns>Its kind; null where it names none or several.</returns>
    public static MessageKind? Find(string text)
    {
        var left = text.ToUpperInvariant();
        var found = new List<MessageKind>();
        Take(MessageKind.Disconnect, "DISCONNECT");
        Take(MessageKind.Unsubscribe, "UNSUB");
        Take(MessageKind.Connect, "CONN");
        Take(MessageKind.Subscribe, "SUB");
        Take(MessageKind.Publish, "PUB");
        return found is [var only] ? only : null;

        // A longer word has the shorter one in it, so what was found is cut out.
        void Take(MessageKind kind, string word)
        {
            if (!left.Contains(word, StringComparison.Ordinal))
                return;
            found.Add(kind);
            left = left.Replace(word, "", StringComparison.Ordinal);
        }
    }
}
