namespace MqttCheck.Latency;

/// <summary>The place of a feature that is asked about, relative to what training has seen of it.</summary>
internal enum TrainingPlace
{
    /// <summary>Training has seen it.</summary>
    Inside,

    /// <summary>The model file does not say what training has seen.</summary>
    NotRecorded,

    /// <summary>It is beyond what was seen by a tenth at most, or few training cases are near.</summary>
    Edge,

    /// <summary>It is a number outside of what was seen.</summary>
    Outside,

    /// <summary>It is a load so far beyond the largest that was seen that nothing is said without <c>--beyond</c>.
    /// </summary>
    FarOutside,

    /// <summary>It is of another kind than all that was seen.</summary>
    NeverSeen,
}
