using MqttCheck.Conformance.Checking;
using MqttCheck.Profiles;

namespace MqttCheck.App.Check;

/// <summary>The load under which a broker is checked: messages per second, or clients of a profile.</summary>
/// <param name="Text">The load in words.</param>
/// <param name="On">Puts it on a broker; takes the seed of what is random in it.</param>
internal sealed record CheckLoad(string Text, Func<CheckTarget, ulong, IBackgroundLoad> On)
{
    /// <summary>Messages at a constant rate.</summary>
    public static CheckLoad OfMessages(string text, double perSecond) =>
        new(text, (target, seed) => BackgroundLoad.Messages(target, perSecond, seed));

    /// <summary>Clients of a profile.</summary>
    public static CheckLoad OfClients(string text, Population population, int clients) =>
        new(text, (target, seed) => BackgroundLoad.Clients(target, text, population, clients, seed));
}
