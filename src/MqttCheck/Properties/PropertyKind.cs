namespace MqttCheck.Properties;

/// <summary>The kind of question that a property asks.</summary>
public enum PropertyKind
{
    /// <summary>With what probability a formula holds on a trace: <c>P[ ... ]</c>.</summary>
    Probability,

    /// <summary>Whether that probability is at least a number: <c>P&gt;=0.95[ ... ]</c>.</summary>
    AtLeast,

    /// <summary>Whether that probability is at most a number: <c>P&lt;=0.05[ ... ]</c>.</summary>
    AtMost,

    /// <summary>The expectation of a measure: <c>E[ ... ]</c>.</summary>
    Expectation,

    /// <summary>A quantile of a measure: <c>Q0.95[ ... ]</c>.</summary>
    Quantile,

    /// <summary>The whole distribution of a measure: <c>D[ ... ]</c>.</summary>
    Distribution,
}
