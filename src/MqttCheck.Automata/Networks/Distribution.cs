namespace MqttCheck.Automata.Networks;

/// <summary>
/// Distributions with parameters that are expressions, by the names and parameters of the JANI format.
/// </summary>
public enum Distribution
{
    /// <summary>Uniform(a, b).</summary>
    Uniform,

    /// <summary>DiscreteUniform(a, b): an integer, both ends included.</summary>
    DiscreteUniform,

    /// <summary>Exponential(rate).</summary>
    Exponential,

    /// <summary>Normal(mean, standard deviation).</summary>
    Normal,

    /// <summary>LogNormal(mu, sigma) of the logarithm.</summary>
    LogNormal,

    /// <summary>Erlang(k, rate): the sum of k exponentials.</summary>
    Erlang,

    /// <summary>Gamma(shape, rate).</summary>
    Gamma,

    /// <summary>Weibull(shape, scale).</summary>
    Weibull,

    /// <summary>Pareto(minimum, shape).</summary>
    Pareto,

    /// <summary>Triangular(low, high, mode).</summary>
    Triangular,

    /// <summary>Bernoulli(probability): 1 or 0.</summary>
    Bernoulli,
}
