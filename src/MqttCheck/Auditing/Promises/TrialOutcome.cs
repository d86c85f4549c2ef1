namespace MqttCheck.Auditing.Promises;

/// <summary>How one simulated measurement ended.</summary>
internal enum TrialOutcome
{
    /// <summary>With a right answer.</summary>
    Right,

    /// <summary>With a wrong answer: what the promise is about.</summary>
    Wrong,

    /// <summary>Without an answer, which is never wrong.</summary>
    Withheld,
}
