namespace MqttCheck.Properties;

/// <summary>How a property compares a number with a constant.</summary>
public enum ComparisonOperator
{
    /// <summary>Less than.</summary>
    Less,

    /// <summary>At most.</summary>
    AtMost,

    /// <summary>Greater than.</summary>
    Greater,

    /// <summary>At least.</summary>
    AtLeast,

    /// <summary>Equal to.</summary>
    Equal,

    /// <summary>Not equal to.</summary>
    NotEqual,
}
