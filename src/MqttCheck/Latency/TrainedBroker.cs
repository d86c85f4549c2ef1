using MqttCheck.Logs;

namespace MqttCheck.Latency;

/// <summary>Compares a measured broker, and the way to reach it, with the one that a model was learned from.</summary>
internal static class TrainedBroker
{
    // The details that a user chooses for any broker, with their usual values, which logs may leave out.
    private static readonly (string Key, string Feature, string Usual)[] s_chosen =
    [
        (LoggedBroker.VersionKey, "MQTT version", "3.1.1"),
        (LoggedBroker.TransportKey, "transport", "mqtt"),
        (LoggedBroker.ClientKey, "MQTT client", "that of MqttCheck"),
    ];

    /// <summary>Names each feature that differs; none where the model was learned from what is measured.</summary>
    /// <param name="learned">The broker of the training; null in prediction files that do not say it in parts.</param>
    /// <param name="measured">The broker that is measured.</param>
    public static IReadOnlyList<TrainingFinding> Unlike(LoggedBroker? learned, LoggedBroker measured)
    {
        if (learned is null)
            return
            [
                new(
                    "broker",
                    TrainingPlace.NotRecorded,
                    "The prediction does not say in parts which broker its model was learned from, so whether it is "
                        + $"the one that is measured is not known. {Remedy(measured)}"
                ),
            ];
        var findings = new List<TrainingFinding>();
        foreach (var (key, feature, usual) in s_chosen)
            Compare(feature, Detail(learned, key, usual), Detail(measured, key, usual));
        // Another broker has other versions and settings anyway.
        if (Compare("broker", learned.Name, measured.Name))
            return findings;
        Compare("broker version", learned.Version, measured.Version);
        Compare("broker settings", learned.Settings, measured.Settings);
        foreach (var key in learned.Details.Keys.Union(measured.Details.Keys).Order(StringComparer.Ordinal))
            if (!s_chosen.Any(chosen => chosen.Key == key))
                Compare($"broker setting {key}", Detail(learned, key, "none"), Detail(measured, key, "none"));
        return findings;

        bool Compare(string feature, string seen, string given)
        {
            if (seen == given)
                return false;
            findings.Add(
                new(
                    feature,
                    TrainingPlace.NeverSeen,
                    $"{feature}: {given} is measured, and the model was learned with {seen}. {Remedy(measured)}"
                )
            );
            return true;
        }
    }

    private static string Detail(LoggedBroker broker, string key, string usual) =>
        broker.Details.GetValueOrDefault(key, usual);

    private static string Remedy(LoggedBroker measured) =>
        $"'mqttcheck explore --broker {measured.Name}' gives a log to learn from.";
}
