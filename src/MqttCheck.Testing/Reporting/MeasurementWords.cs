namespace MqttCheck.Testing.Reporting;

/// <summary>The words for what a measurement measures, in messages and reports.</summary>
/// <param name="Question">The title of a report.</param>
/// <param name="Message">The word for a part of a sequence, with its article.</param>
/// <param name="Ends">The verb for the end of such a part.</param>
/// <param name="Messages">The word for the parts of a sequence, in the plural.</param>
/// <param name="Slowest">Which latency a sequence has.</param>
internal sealed record MeasurementWords(string Question, string Message, string Ends, string Messages, string Slowest)
{
    /// <summary>The words for clients that MqttCheck drives.</summary>
    public static MeasurementWords Fleet { get; } =
        new(
            "Does the broker meet its requirement?",
            "message",
            "is answered",
            "messages",
            "of the slowest message of a sequence"
        );

    /// <summary>The words for actions of a user.</summary>
    public static MeasurementWords Actions { get; } =
        new("Does the application meet its requirement?", "step", "ends", "steps", "of the slowest step of a sequence");
}
