using System.Globalization;
using MqttCheck.App.Check;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using static System.FormattableString;

namespace MqttCheck.Cli.Check;

/// <summary><c>check --load</c>: messages per second, or clients of a profile.</summary>
internal static class CheckLoadOption
{
    private const int DefaultClients = 50;

    /// <summary>Reads <c>2000</c>, <c>2k</c>, <c>up1</c> or <c>up1=200</c>.</summary>
    /// <param name="text">The value of the option.</param>
    /// <param name="rateCap">How many messages per second the broker may get, or null.</param>
    /// <exception cref="InputException">It is neither a rate nor a profile, or above the cap.</exception>
    public static CheckLoad Parse(string text, int? rateCap)
    {
        if (Rates.TryParse(text, out var rate))
        {
            if (rate > rateCap)
                throw new InputException(
                    Invariant($"--load: '{text}' is above the cap of {rateCap} messages/s; ")
                        + "allowed: up to the cap, which --rate-cap raises."
                );
            return CheckLoad.OfMessages(text, rate);
        }
        if (double.TryParse(text, CultureInfo.InvariantCulture, out _))
            throw new InputException(
                $"--load: '{text}' is out of range; allowed: above 0, up to 10M messages/s, or a profile."
            );
        if (rateCap is not null)
            throw new InputException(
                Invariant($"--load: '{text}' given; allowed: a rate up to the cap of {rateCap} messages/s, since ")
                    + "clients of a profile keep to none."
            );
        var parts = text.Split('=', 2);
        var clients = DefaultClients;
        if (
            parts.Length == 2
            && (
                !int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out clients)
                || clients is < 1 or > CommonOptions.MostClients
            )
        )
            throw new InputException(
                Invariant($"--load: '{parts[1]}' clients given; allowed: ")
                    + Invariant($"a whole number from 1 to {CommonOptions.MostClients}.")
            );
        var population = ProfileFile.Read(parts[0]);
        return population.Groups.SelectMany(group => PacketKeys.OfVersion5(group.Profile)).FirstOrDefault() is { } key
            ? throw new InputException(
                $"--load: profile {population.Name} has \"{key}\", but the clients of a load speak MQTT 3.1.1; "
                    + "allowed: a profile without it."
            )
            : CheckLoad.OfClients(text, population, clients);
    }
}
