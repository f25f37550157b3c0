"""Word segmenters: any function, jieba, and the bundled perceptron."""
